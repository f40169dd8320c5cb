import StrictJSON
import Testing

@Suite("A document among other bytes")
struct RangeTests {
    private let before = Array(#"{"x":1}"#.utf8)

    private func document(_ text: String, followedBy rest: String) throws(StrictJSONError) -> JSONDocument {
        let bytes = before + Array(text.utf8) + Array(rest.utf8)
        return try JSONDocument(bytes, in: before.count..<(before.count + text.utf8.count))
    }

    @Test("is read as if it stood alone")
    func alone() throws {
        let root = try document(#"{"a":[1,"é"],"b":"\n"}"#, followedBy: "}]").root
        #expect(root["a"]?.elements.map(\.string) == [nil, "é"])
        #expect(root["b"]?.string == "\n")
        #expect(root["a"]?.offset == 5)
        #expect(root["x"] == nil)
    }

    @Test(
        "ends at the end of its range, whatever follows",
        arguments: [
            (#"{"a":1"#, "}"), (#"{"a":"b"#, #""}"#), (#"{"a":"\"#, #"n"}"#), (#"{"a":"\u00"#, #"e9"}"#),
            (#"{"a":"\ud83d\u"#, #"de00"}"#), (#"{"a":tr"#, "ue}"), (#"{"a":1"#, "2}"), ("", "{}"),
        ])
    func end(text: String, rest: String) throws {
        let error = try #require(throws: StrictJSONError.self) { try document(text, followedBy: rest) }
        #expect(error.code == .malformed)
        #expect((0...text.utf8.count).contains(error.offset))
    }

    @Test("has the number inside its range, not a longer one")
    func number() throws {
        #expect(try document("12", followedBy: "3").root.int64 == 12)
    }

    @Test("is refused if its range ends inside a character")
    func character() throws {
        let bytes = Array(#""é""#.utf8)
        let error = try #require(throws: StrictJSONError.self) { try JSONDocument(bytes, in: 0..<2) }
        #expect(error.code == .malformed)
    }
}
