import Testing

@testable import juice

struct CellWidthTests {
    @Test(
        "Characters take as many cells as terminals give them",
        arguments: [
            ("Johnny", 6), ("José", 4), ("Jose\u{301}", 4), ("李小龍", 6), ("한글", 4), ("ｱｲ", 2), ("Ａ", 2), ("🍏", 2),
            ("", 0),
            ("\u{200D}", 0),
        ])
    func widths(text: String, width: Int) {
        #expect(CellWidth.of(text) == width)
    }

    @Test(
        "Lines break at spaces, and inside words that are too long",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("001999.0a1b2c3d", 6, ["001999", ".0a1b2", "c3d"]),
            ("a 0123456789", 4, ["a", "0123", "4567", "89"]), ("李小龍", 4, ["李小", "龍"]), ("李小龍", 3, ["李", "小", "龍"]),
            ("", 10, [""]), ("short", 10, ["short"]), ("a  b", 10, ["a  b"]),
        ])
    func wrapping(text: String, width: Int, lines: [String]) {
        #expect(CellWidth.wrap(text, to: width) == lines)
    }

    @Test("No line is wider than it may be, and nothing is lost", arguments: 2...30)
    func bounds(width: Int) {
        let text = "Sign in with Apple 李小龍 001999.0a1b2c3d4e5f60718293a4b5c6d7e8f9.0001 e\u{301}\u{302}"
        let lines = CellWidth.wrap(text, to: width)
        #expect(lines.allSatisfy { CellWidth.of($0) <= width })
        #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
}
