import Testing

@testable import AccountService

@Suite("A user code")
struct UserCodeTests {
    @Test("is drawn without a bias: random bytes that would favour some letters are discarded")
    func fair() {
        // 240 and above are left over when 256 values are shared among twenty letters.
        var bytes: [UInt8] = [240, 0, 255, 19, 20, 239, 250, 1, 2, 241, 3, 4]
        let code = UserCode { count in
            defer { bytes.removeFirst(min(count, bytes.count)) }
            return Array(bytes.prefix(count))
        }
        #expect(code.text == "BZBZ-CDFG")
    }

    @Test(
        "is recognized in any way of typing it", arguments: ["BCDF-GHJK", "bcdfghjk", " bcdf ghjk ", "B-C-D-F-G-H-J-K"])
    func typed(text: String) throws {
        let code = try #require(UserCode(typed: text))
        #expect(code.text == "BCDF-GHJK")
        #expect(code.formerHash == UserCode(typed: "BCDFGHJK")?.formerHash)
    }

    @Test("is stored under the ring's first key, and found under each and in the former form")
    func keys() throws {
        let code = try #require(UserCode(typed: "BCDFGHJK"))
        let now = Timestamp(secondsSince1970: 1_700_000_000)
        func keys(_ ring: String, from moment: Timestamp = now) throws -> UserCodeKeys {
            UserCodeKeys(keyRing: KeyRingInUse(try KeyRing(parsing: ring)), keyedFrom: moment)
        }
        let one = try keys(KeyRingTests.one)
        #expect(one.hash(of: code, at: now) != code.formerHash)
        #expect(one.hashes(of: code) == [one.hash(of: code, at: now), code.formerHash])
        let two = try keys(KeyRingTests.two)
        let both = try keys(KeyRingTests.two + "," + KeyRingTests.one)
        #expect(both.hash(of: code, at: now) == two.hash(of: code, at: now))
        #expect(
            both.hashes(of: code) == [two.hash(of: code, at: now), one.hash(of: code, at: now), code.formerHash])
        let upgrading = try keys(KeyRingTests.one, from: now + .microseconds(1))
        #expect(upgrading.hash(of: code, at: now) == code.formerHash)
    }

    @Test(
        "has eight letters of its alphabet",
        arguments: ["", "BCDF-GHJ", "BCDF-GHJKL", "ACDF-GHJK", "BCDF-GHJ1", "ßCDFGHJK", "BCDF\u{0}GHJK"])
    func malformed(text: String) {
        #expect(UserCode(typed: text) == nil)
    }
}
