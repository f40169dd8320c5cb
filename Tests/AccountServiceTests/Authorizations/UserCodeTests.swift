import Testing

@testable import AccountService

@Suite("A user code")
struct UserCodeTests {
    @Test("is drawn fairly: what would favour some letters is thrown away")
    func fair() {
        // 240 and above are left over when 256 values are shared among twenty letters.
        var bytes: [UInt8] = [240, 0, 255, 19, 20, 239, 250, 1, 2, 241, 3, 4]
        let code = UserCode { count in
            defer { bytes.removeFirst(min(count, bytes.count)) }
            return Array(bytes.prefix(count))
        }
        #expect(code.text == "BZBZ-CDFG")
    }

    @Test("is known again however it is typed", arguments: ["BCDF-GHJK", "bcdfghjk", " bcdf ghjk ", "B-C-D-F-G-H-J-K"])
    func typed(text: String) throws {
        let code = try #require(UserCode(typed: text))
        #expect(code.text == "BCDF-GHJK")
        #expect(code.hash == UserCode(typed: "BCDFGHJK")?.hash)
    }

    @Test(
        "has eight letters of its own",
        arguments: ["", "BCDF-GHJ", "BCDF-GHJKL", "ACDF-GHJK", "BCDF-GHJ1", "ßCDFGHJK", "BCDF\u{0}GHJK"])
    func malformed(text: String) {
        #expect(UserCode(typed: text) == nil)
    }
}
