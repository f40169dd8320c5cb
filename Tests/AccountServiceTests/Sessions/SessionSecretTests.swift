import Testing

@testable import AccountService

@Suite("A session's secret")
struct SessionSecretTests {
    let first = SessionSecret(
        session: SessionID(at: Timestamp(secondsSince1970: 1_700_000_000), randomness: Array(repeating: 3, count: 10)),
        secret: Array(repeating: 9, count: 32))

    @Test("is read back from its own text only")
    func text() throws {
        let read = try #require(SessionSecret(received: first.text))
        #expect(read.hash == first.hash)
        #expect(read.session == first.session)
        for wrong in [
            "", ".", "ses_", first.text + "A", String(first.text.dropLast()), "acc" + first.text.dropFirst(3),
            first.text.replacing(".", with: ".."), first.text.uppercased(), first.session.rawValue,
        ] {
            #expect(SessionSecret(received: wrong) == nil)
        }
    }

}

@Suite("A refresh token's form")
struct RefreshTokenFormTests {
    let keys = RefreshTokenKeys(secret: Array(repeating: 7, count: 32))
    let otherKeys = RefreshTokenKeys(secret: Array(repeating: 8, count: 32))
    let session = SessionID(
        at: Timestamp(secondsSince1970: 1_700_000_000), randomness: Array(repeating: 3, count: 10))
    var first: SessionSecret {
        SessionSecret(refreshTokenOf: session, randomness: Array(repeating: 9, count: 16), keys: keys)
    }
    var former: SessionSecret { SessionSecret(session: session, secret: Array(repeating: 9, count: 32)) }

    @Test("is that of a session's secret, with a prefix to search for")
    func form() throws {
        #expect(first.text.hasPrefix(session.rawValue + ".siw2"))
        let read = try #require(SessionSecret(received: first.text))
        #expect(read.text == first.text && read.origin(checkedWith: keys) == .signed(generation: 0))
    }

    @Test("shows its generation to a holder of the keys, and is rejected with other keys")
    func origin() {
        var last = first
        for generation in Int64(1)...300 {
            last = last.successor(generation: generation, derivedWith: keys)
            #expect(last.origin(checkedWith: keys) == .signed(generation: generation))
        }
        #expect(last.origin(checkedWith: otherKeys) == .forged)
        #expect(former.origin(checkedWith: keys) == .former)
        let late = former.successor(generation: SessionSecret.lastGeneration, derivedWith: keys)
        #expect(late.origin(checkedWith: keys) == .signed(generation: SessionSecret.lastGeneration))
    }

    @Test("becomes invalid with a change of any byte")
    func changes() {
        for index in 3..<32 {
            var bytes = first.bytes
            bytes[index] ^= 1
            #expect(SessionSecret(session: session, secret: bytes).origin(checkedWith: keys) == .forged)
        }
    }

    @Test("of a successor is always the same, from a token of either form")
    func successor() {
        for token in [first, former] {
            let next = token.successor(generation: 1, derivedWith: keys)
            #expect(next.text == token.successor(generation: 1, derivedWith: keys).text)
            #expect(next.hash != token.hash && next.hash != token.formerSuccessor(derivedWith: keys).hash)
            #expect(next.hash != token.successor(generation: 1, derivedWith: otherKeys).hash)
        }
    }

    @Test("of the previous version identifies an ancestor only within a number of generations")
    func ancestry() {
        var last = former
        for _ in 0..<5 { last = last.formerSuccessor(derivedWith: keys) }
        #expect(former.isAncestor(of: last.hash, within: 5, derivedWith: keys))
        #expect(!former.isAncestor(of: last.hash, within: 4, derivedWith: keys))
        #expect(!last.isAncestor(of: former.hash, within: 5, derivedWith: keys))
        let stranger = SessionSecret(session: session, secret: Array(repeating: 8, count: 32))
        #expect(!stranger.isAncestor(of: last.hash, within: 5, derivedWith: keys))
    }
}
