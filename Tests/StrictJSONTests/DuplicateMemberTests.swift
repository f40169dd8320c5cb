import StrictJSON
import Testing

@Suite("Duplicate members")
struct DuplicateMemberTests {
    @Test(
        "A name given twice is refused, at any depth and however it is written",
        arguments: [
            #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"[{"x":{"a":1,"a":2}}]"#, #"{"a":1,"\u0061":2}"#,
            #"{"\u0061":1,"\u0061":2}"#,
            #"{"/":1,"\/":2}"#, #"{"":1,"":2}"#, #"{"é":1,"\u00e9":2}"#, #"{"😀":1,"\ud83d\ude00":2}"#,
        ])
    func refused(text: String) throws {
        let error = try #require(throws: StrictJSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(error.code == .duplicateMember)
    }

    @Test(
        "Different names, or the same in different objects, are accepted",
        arguments: [
            #"{"a":1,"A":2}"#, #"{"a":{"a":1},"b":{"a":2}}"#, #"[{"a":1},{"a":2}]"#, #"{"a":"a","b":"a"}"#,
            #"{"a":1,"a ":2}"#,
        ])
    func accepted(text: String) throws {
        _ = try JSONDocument(Array(text.utf8))
    }

    @Test("Canonically equivalent names are different names")
    func canonicalEquivalence() throws {
        let document = try JSONDocument(Array("{\"\u{e9}\":1,\"e\u{301}\":2}".utf8))
        #expect(document.root["\u{e9}"]?.int64 == 1)
        #expect(document.root["e\u{301}"]?.int64 == 2)
    }

    @Test("The members of large objects are compared too, even the last one with the first")
    func large() throws {
        let members = (0..<5_000).map { "\"m\($0)\":\($0)" }
        let limits = JSONLimits(maximumBytes: 1_000_000)
        let document = try JSONDocument(Array("{\(members.joined(separator: ","))}".utf8), limits: limits)
        #expect(document.root.count == 5_000)
        #expect(document.root["m4999"]?.int64 == 4_999)
        let repeated = Array("{\(members.joined(separator: ",")),\"\\u006d0\":1}".utf8)
        let error = try #require(throws: StrictJSONError.self) { try JSONDocument(repeated, limits: limits) }
        #expect(error == StrictJSONError(.duplicateMember, at: repeated.count - 12))
    }

    @Test(
        "A repeated name is found at every pair of places, and similar names are not mistaken for it",
        arguments: [2, 5, 13, 24, 25, 60])
    func everyPair(count: Int) throws {
        // Names alike in length, first and last byte among them.
        let names = (0..<count).map { "x\($0 / 7 % 3)\($0)\($0 % 5)x" }
        let plain = names.map { "\"\($0)\":0" }
        _ = try JSONDocument(Array("{\(plain.joined(separator: ","))}".utf8))
        for first in 0..<count {
            for second in first + 1..<count {
                for spelling in [names[first], "\\u0078" + names[first].dropFirst()] {
                    var members = plain
                    members[second] = "\"\(spelling)\":0"
                    let text = Array("{\(members.joined(separator: ","))}".utf8)
                    let error = #expect(throws: StrictJSONError.self) { try JSONDocument(text) }
                    #expect(error?.code == .duplicateMember)
                }
            }
        }
    }
}
