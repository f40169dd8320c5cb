import StrictJSON
import Testing

/// RFC 8259, case by case; the public suite in JSONTestSuiteTests covers the same and more where it is present.
@Suite("Grammar")
struct GrammarTests {
    @Test(
        "A valid text is accepted",
        arguments: [
            "null", "true", "false", "0", "-0", "-0.0", "1", "-1", "12.5", "1e5", "1E+5", "1e-5", "0e0",
            "123456789012345678901",
            "\"\"", "\"a\"", "[]", "{}", " [ 1 , 2 ] ", "\t{\r\n \"a\" : [ ] }\n",
            #"["\"\\\/\b\f\n\r\t\u00e9\uD834\udd1e"]"#,
            "[[],[[]],{}]", "{\"a\":{\"a\":{}}}", "\"\u{7f}é€😀\u{FFFF}\"", "\"\u{FEFF}\"", "{\"\":0}",
        ])
    func valid(text: String) throws {
        _ = try JSONDocument(Array(text.utf8))
    }

    @Test(
        "A text outside the grammar is malformed",
        arguments: [
            "", " ", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined", "'a'", "a", "01", "-01", "-",
            "+1", ".5", "1.",
            "1.e1", "1e", "1e+", "0x1", "1 2", "[1", "[1,", "[,1]", "[1,]", "[1 2]", "]", "[]]", "[1}", "{", "{]",
            "{\"a\"}",
            "{\"a\":}", "{\"a\":1,}", "{,\"a\":1}", "{\"a\":1 \"b\":2}", "{a:1}", "{1:1}", "{\"a\",1}", "{\"a\"::1}",
            "\"", "\"a",
            "\"\\", "\"\\\"", #""\a""#, #""\u00g0""#, #""\u12""#, #""\U0041""#, #""\u""#, "\"\n\"", "\"\t\"",
            "\"\u{1f}\"",
            "// a\n1", "/**/1", "1#", "\u{FEFF}{}", "\u{A0}1", "\u{0}", "1\u{0}", "[1]\u{c}",
        ])
    func malformed(text: String) {
        #expect(throws: StrictJSONError.self) { try JSONDocument(Array(text.utf8)) }
        #expect(code(of: text) == .malformed)
    }

    @Test(
        "A lone surrogate is malformed",
        arguments: [
            #""\uD800""#, #""\uDC00""#, #""\uD800\u0041""#, #""\uD800\uD800""#, #""\uDC00\uD800""#, #""\uD800x""#,
            #""\ud834\""#,
        ])
    func surrogates(text: String) {
        #expect(code(of: text) == .malformed)
    }

    @Test(
        "U+0000 is refused in names and strings, raw and escaped",
        arguments: [#""\u0000""#, #"{"a\u0000":1}"#, "\"\u{0}\""])
    func null(text: String) {
        #expect(code(of: text) == .nullCharacter)
    }

    @Test(
        "Ill-formed UTF-8 is refused",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF],
            [0xE2, 0x82],
            [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80],
            [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98], [0xFE], [0xFF],
        ] as [[UInt8]])
    func illFormed(bytes: [UInt8]) throws {
        let quote = UInt8(ascii: "\"")
        let error = try #require(throws: StrictJSONError.self) { try JSONDocument([quote] + bytes + [quote]) }
        #expect(error == StrictJSONError(.invalidUTF8, at: 1))
    }

    @Test("The offset points to the fault")
    func offset() throws {
        let error = try #require(throws: StrictJSONError.self) { try JSONDocument(Array(#"{"a": tru}"#.utf8)) }
        #expect(error == StrictJSONError(.malformed, at: 9))
        #expect("\(error)" == "malformed at byte 9")
    }

    @Test("The depth limit is exact")
    func depth() throws {
        let limits = JSONLimits(maximumDepth: 3)
        _ = try JSONDocument(Array("[[{}]]".utf8), limits: limits)
        let error = try #require(throws: StrictJSONError.self) {
            try JSONDocument(Array("[[{\"a\":[]}]]".utf8), limits: limits)
        }
        #expect(error == StrictJSONError(.tooDeep, at: 7))
    }

    @Test("The size limit is exact")
    func size() throws {
        let limits = JSONLimits(maximumBytes: 4)
        _ = try JSONDocument(Array("[11]".utf8), limits: limits)
        #expect(throws: StrictJSONError(.tooLarge, at: 4)) { try JSONDocument(Array("[111]".utf8), limits: limits) }
        #expect(throws: StrictJSONError(.tooLarge, at: 4)) { try JSONDocument("[111]".utf8, limits: limits) }
    }

    private func code(of text: String) -> StrictJSONError.Code? {
        do throws(StrictJSONError) {
            _ = try JSONDocument(Array(text.utf8))
            return nil
        } catch {
            return error.code
        }
    }
}
