import StrictJSON
import Testing

@Suite("Values")
struct ValueTests {
    @Test("Every kind is recognized, and answers only for its own type")
    func kinds() throws {
        let root = try JSONDocument(
            Array(#"{"n":null,"t":true,"f":false,"i":5,"s":"x","a":[1,"two",[]],"o":{"k":"v"}}"#.utf8)
        ).root
        #expect(root.kind == .object)
        #expect(root["n"]?.isNull == true)
        #expect(root["n"]?.bool == nil)
        #expect(root["t"]?.bool == true)
        #expect(root["f"]?.bool == false)
        #expect(root["i"]?.int64 == 5)
        #expect(root["i"]?.string == nil)
        #expect(root["s"]?.string == "x")
        #expect(root["s"]?.int64 == nil)
        #expect(root["s"]?.double == nil)
        #expect(root["a"]?.elements.map(\.kind) == [.number, .string, .array])
        #expect(root["a"]?.count == 3)
        #expect(root["o"]?["k"]?.string == "v")
        #expect(root["o"]?["x"] == nil)
        #expect(root["a"]?["k"] == nil)
        #expect(root.members.map(\.name) == ["n", "t", "f", "i", "s", "a", "o"])
        #expect(root["s"]?.count == nil)
        #expect(root["i"]?.elements.first(where: { _ in true }) == nil)
    }

    @Test("Members of nested values are not members of their container")
    func nesting() throws {
        let root = try JSONDocument(Array(#"{"a":{"b":1,"c":[{"d":2}]},"e":3}"#.utf8)).root
        #expect(root["b"] == nil)
        #expect(root["d"] == nil)
        #expect(root["e"]?.int64 == 3)
        #expect(root.count == 2)
        #expect(root["a"]?.count == 2)
    }

    @Test(
        "Escapes are resolved",
        arguments: [
            (#""\"\\\/""#, "\"\\/"), (#""\b\f\n\r\t""#, "\u{8}\u{c}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
            (#""\ud83D\uDE00!""#, "😀!"),
            (#""é\u0041""#, "éA"), (#""\u005cu0041""#, "\\u0041"), (#""\uFFFF""#, "\u{FFFF}"),
        ])
    func escapes(text: String, expected: String) throws {
        #expect(
            try JSONDocument(Array(text.utf8)).root.string?.unicodeScalars.elementsEqual(expected.unicodeScalars)
                == true)
    }

    @Test(
        "Integers are read exactly or not at all",
        arguments: [
            ("0", 0), ("-0", 0), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("1.0", 1),
            ("1e3", 1_000),
            ("-25e-1", nil), ("1.5", nil), ("9223372036854775808", nil), ("-9223372036854775809", nil), ("1e400", nil),
            ("1e16", nil),
            ("99999999999999999999999", nil),
        ] as [(String, Int64?)])
    func integers(text: String, expected: Int64?) throws {
        #expect(try JSONDocument(Array(text.utf8)).root.int64 == expected)
    }

    @Test("Unsigned integers reach 2⁶⁴ - 1")
    func unsigned() throws {
        #expect(try JSONDocument(Array("18446744073709551615".utf8)).root.uint64 == .max)
        #expect(try JSONDocument(Array("18446744073709551616".utf8)).root.uint64 == nil)
        #expect(try JSONDocument(Array("-1".utf8)).root.uint64 == nil)
    }

    @Test(
        "Floating-point numbers are finite or absent",
        arguments: [("1.5", 1.5), ("-0.25e2", -25), ("5", 5), ("1e308", 1e308), ("1e309", nil), ("1e-400", 0)]
            as [(String, Double?)])
    func doubles(text: String, expected: Double?) throws {
        #expect(try JSONDocument(Array(text.utf8)).root.double == expected)
    }
}
