import StrictJSON
import Testing

@Suite("Member reader")
struct MemberReaderTests {
    let names = ["iss", "aud", "exp", "n\\u0061me", "", "é", "is_private_email"]
    let spelt = ["iss", "aud", "exp", "name", "", "é", "is_private_email"]

    private func reader(_ text: String) throws -> JSONMemberReader? {
        let bytes = Array(text.utf8)
        return try JSONMemberReader(bytes, in: bytes.indices)
    }

    @Test("Members are found in any order and repeatedly, and absent members are nil")
    func anyOrder() throws {
        let text =
            "{" + names.enumerated().map { "\"\($1)\":[{\"iss\":\(10 + $0)},\($0)]" }.joined(separator: ",") + "}"
        for first in spelt.indices {
            let reader = try #require(try reader(text))
            for step in 0..<(2 * spelt.count) {
                let index = (first + step * 3) % spelt.count
                let found = reader.value(JSONName(spelt[index]))
                #expect(found?.elements.map(\.int64) == [nil, Int64(index)])
                let (value, scalar) = (reader.value(JSONName("absent")), reader.scalar(JSONName("absent")))
                #expect(value == nil)
                #expect(scalar == nil)
            }
        }
    }

    @Test("Only an object has a member reader", arguments: ["[]", "null", "5", "\"a\"", "true"])
    func others(text: String) throws {
        #expect(try reader(text) == nil)
    }

    @Test("A text that isn't strict JSON is refused here too", arguments: ["", "{", "{}{}", #"{"a":1,"a":1}"#])
    func malformed(text: String) {
        #expect(throws: StrictJSONError.self) { try reader(text) }
    }

    @Test("An empty object has no members")
    func empty() throws {
        let reader = try #require(try reader("{}"))
        let found = reader.value(JSONName(""))
        #expect(found == nil)
    }

    @Test("Names of one length, first and last byte are told apart", arguments: ["email", "exxxl", "\\u0065mail"])
    func alike(spelling: String) throws {
        let reader = try #require(try reader("{\"\(spelling)\":1,\"evil\":2}"))
        let found = ["email", "emaul", "evil"].map { reader.value(JSONName($0)) }
        #expect((found[0] == nil) == (spelling == "exxxl"))
        #expect(found[1] == nil)
        #expect(found[2]?.int64 == 2)
    }

    @Test(
        "A value that isn't a container is read with its kind",
        arguments: [
            ("true", .bool(true)), ("false", .bool(false)), ("5", .integer(5)), ("-0", .integer(0)),
            ("1e3", .integer(1_000)), ("1.5", .number(1.5)), ("9223372036854775807", .integer(.max)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1e999", .other), (#""""#, .string("")),
            (#""\u0065\u0301""#, .string("e\u{301}")), ("null", .other), ("[1]", .other), ("{}", .other),
        ] as [(String, JSONScalar)])
    func scalars(text: String, expected: JSONScalar) throws {
        let reader = try #require(try reader("{\"a\":\(text)}"))
        let scalar = reader.scalar(JSONName("a"))
        #expect(scalar == expected)
        #expect(try JSONDocument(Array(text.utf8)).root.scalar == expected)
    }

    @Test("A text is compared byte by byte")
    func texts() throws {
        let reader = try #require(try reader(#"{"a":"\u00e9","b":"é","c":["é"]}"#))
        let answers = [("a", "é"), ("b", "é"), ("b", "e\u{301}"), ("c", "é"), ("d", "é")].map {
            reader.isString(JSONName($0), $1)
        }
        #expect(answers == [true, true, false, false, false])
    }

    @Test("The bytes of a text are read with its escapes resolved, and other values have none")
    func utf8() throws {
        let reader = try #require(try reader(#"{"a":"\u00e9","b":"é","c":["é"],"d":null,"e":""}"#))
        let bytes = ["a", "b", "c", "d", "e", "f"].map { reader.utf8(JSONName($0)).map { Array($0) } }
        #expect(bytes == [Array("é".utf8), Array("é".utf8), nil, nil, [], nil])
    }
}
