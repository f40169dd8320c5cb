import Crypto
import Testing

@testable import AccountService

@Suite("A session's secret")
struct SessionSecretTests {
    let key = SymmetricKey(data: Array(repeating: 7, count: 32))
    let first = SessionSecret(
        session: SessionID(at: Timestamp(secondsSince1970: 1_700_000_000), randomness: Array(repeating: 3, count: 10)),
        secret: Array(repeating: 9, count: 32))

    @Test("is read back from its text, and from nothing else")
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

    @Test("has one successor under one key")
    func successor() {
        let next = first.successor(derivedWith: key)
        #expect(next.text == first.successor(derivedWith: key).text)
        #expect(next.hash != first.hash)
        #expect(next.hash != first.successor(derivedWith: SymmetricKey(size: .bits256)).hash)
    }

    @Test("is known as an ancestor of what descended from it, and of nothing else")
    func ancestry() async {
        var last = first
        for _ in 0..<5 { last = last.successor(derivedWith: key) }
        #expect(await first.isAncestor(of: last.hash, within: 5, derivedWith: key))
        #expect(await !first.isAncestor(of: last.hash, within: 4, derivedWith: key))
        #expect(await !last.isAncestor(of: first.hash, within: 5, derivedWith: key))
        let stranger = SessionSecret(session: first.session, secret: Array(repeating: 8, count: 32))
        #expect(await !stranger.isAncestor(of: last.hash, within: 5, derivedWith: key))
    }
}
