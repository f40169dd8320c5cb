import Testing

@testable import AccountService

@Suite("A key ring")
struct KeyRingTests {
    static let one = KeyRing.newText(id: "k1", randomness: Array(repeating: 1, count: 32))
    static let two = KeyRing.newText(id: "k2", randomness: Array(repeating: 2, count: 32))

    @Test("is read from a list, the first key first")
    func reading() throws {
        #expect(try KeyRing(parsing: "\(Self.one), \(Self.two)").keys.map(\.id) == ["k1", "k2"])
    }

    @Test(
        "is refused if its list is malformed",
        arguments: [
            "", "k1", "k1:", "k1:AAAA", ":\(Self.one)", "k 1:AAAA", "\(Self.one),", "\(Self.one),\(Self.one)",
            "k1:" + String(repeating: "A", count: 44), "k1:!!!",
        ])
    func refused(text: String) {
        #expect(throws: AccountError(.configuration, "")) { try KeyRing(parsing: text) }
    }

    @Test("says where a comma is missing", arguments: [" ", "\n", ""])
    func missingComma(separator: String) {
        let error = #expect(throws: AccountError.self) { try KeyRing(parsing: Self.one + separator + Self.two) }
        #expect(error?.reason == "a comma is missing in the key ring after key `k1`")
    }

    @Test("never shows a key in a description or an error")
    func secrecy() throws {
        let secret = String(Self.one.dropFirst(3))
        #expect(!"\(try KeyRing(parsing: Self.one))".contains(secret))
        let error = #expect(throws: AccountError.self) { try KeyRing(parsing: "\(Self.one),\(Self.one)") }
        #expect(error?.reason.contains("k1") == true)
        #expect(error?.reason.contains(secret) == false)
    }
}

@Suite("A seal")
struct SealTests {
    let ring: KeyRing
    let plaintext = Array("a refresh token".utf8)

    init() throws {
        ring = try KeyRing(parsing: KeyRingTests.one)
    }

    @Test("opens what it sealed, for the same row and client")
    func roundTrip() throws {
        let seal = Seal(.appleRefreshToken, keyRing: ring)
        let sealed = try seal.seal(plaintext, row: "atk_1", client: "com.example.juice")
        #expect(sealed.first == 1)
        #expect(try seal.open(sealed, row: "atk_1", client: "com.example.juice") == plaintext)
        #expect(try seal.seal(plaintext, row: "atk_1", client: "com.example.juice") != sealed)
    }

    @Test("does not open for another row, client or purpose")
    func binding() throws {
        let seal = Seal(.appleRefreshToken, keyRing: ring)
        let sealed = try seal.seal(plaintext, row: "atk_1", client: "com.example.juice")
        #expect(throws: AccountError(.configuration, "")) {
            try seal.open(sealed, row: "atk_2", client: "com.example.juice")
        }
        #expect(throws: AccountError(.configuration, "")) { try seal.open(sealed, row: "atk_1", client: "other") }
        #expect(throws: AccountError(.configuration, "")) {
            try Seal(.pendingProfile, keyRing: ring).open(sealed, row: "atk_1", client: "com.example.juice")
        }
    }

    @Test("does not open after a change of any byte")
    func integrity() throws {
        let seal = Seal(.pendingProfile, keyRing: ring)
        let sealed = try seal.seal(plaintext, row: "r")
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(throws: AccountError(.configuration, "")) { try seal.open(changed, row: "r") }
        }
        for length in 0..<sealed.count {
            #expect(throws: AccountError(.configuration, "")) { try seal.open(Array(sealed.prefix(length)), row: "r") }
        }
    }

    @Test("follows a replaced ring, and opens nothing with a removed key")
    func replacement() throws {
        let inUse = KeyRingInUse(ring)
        let seal = Seal(.pendingProfile, keyRing: inUse)
        let old = try seal.seal(plaintext, row: "r")
        inUse.replace(with: try KeyRing(parsing: "\(KeyRingTests.two),\(KeyRingTests.one)"))
        #expect(try seal.open(old, row: "r") == plaintext)
        #expect(!seal.isCurrent(old))
        let new = try seal.seal(plaintext, row: "r")
        inUse.replace(with: try KeyRing(parsing: KeyRingTests.two))
        #expect(try seal.open(new, row: "r") == plaintext)
        #expect(throws: AccountError(.configuration, "")) { try seal.open(old, row: "r") }
    }

    @Test("seals with the first key and opens with all")
    func rotation() throws {
        let old = try Seal(.pendingProfile, keyRing: ring).seal(plaintext, row: "r")
        let both = Seal(.pendingProfile, keyRing: try KeyRing(parsing: "\(KeyRingTests.two),\(KeyRingTests.one)"))
        #expect(try both.open(old, row: "r") == plaintext)
        let new = try both.seal(plaintext, row: "r")
        #expect(throws: AccountError(.configuration, "")) {
            try Seal(.pendingProfile, keyRing: ring).open(new, row: "r")
        }
    }
}
