import AppleID
import Foundation
import Testing

@testable import AccountService

@Suite("Challenges")
struct ChallengesTests {
    let session = SessionID(at: Timestamp(secondsSince1970: 1), randomness: Array(repeating: 3, count: 10))

    func challenges(ring: String = KeyRingTests.one, at seconds: Double = 0) throws -> Challenges {
        let now = Date(timeIntervalSince1970: 1_700_000_000 + seconds)
        var environment = AppleIDEnvironment.live
        environment.now = { now }
        return Challenges(keyRing: KeyRingInUse(try KeyRing(parsing: ring)), environment: environment)
    }

    @Test("make valid nonces, and say when they expire", arguments: Challenge.Purpose.all)
    func form(purpose: Challenge.Purpose) throws {
        let challenge = try challenges().make(for: purpose, session: session)
        #expect(challenge.nonce.hasPrefix("c1."))
        #expect(ClientNonce.allowedLength.contains(challenge.nonce.utf8.count))
        #expect(challenge.expiresAt == Timestamp(secondsSince1970: 1_700_000_600))
    }

    @Test("are redeemed for their purpose until they expire")
    func redeemed() throws {
        let nonce = try challenges().make(for: .signIn, session: nil).nonce
        let used = try challenges(at: 599).verify(nonce, for: .signIn, session: nil)
        #expect(used.kind == .challenge)
        #expect(used.expiresAt >= Timestamp(secondsSince1970: 1_700_000_600))
        #expect(throws: AccountError(.challengeInvalid, "")) {
            try challenges(at: 600).verify(nonce, for: .signIn, session: nil)
        }
    }

    @Test("work for no other purpose and no other session")
    func bound() throws {
        let other = SessionID(at: Timestamp(secondsSince1970: 2), randomness: Array(repeating: 4, count: 10))
        let nonce = try challenges().make(for: .delete, session: session).nonce
        _ = try challenges().verify(nonce, for: .delete, session: session)
        for (purpose, asking) in [
            (Challenge.Purpose.signIn, nil), (.reauthenticate, session), (.delete, other), (.delete, nil),
        ] {
            #expect(throws: AccountError(.challengeInvalid, "")) {
                try challenges().verify(nonce, for: purpose, session: asking)
            }
        }
    }

    @Test(
        "contain the number of their purpose, which never changes",
        arguments: zip(Challenge.Purpose.all, [0, 1, 2, 3, 4] as [UInt8]))
    func numbers(purpose: Challenge.Purpose, number: UInt8) throws {
        let nonce = try challenges().make(for: purpose, session: session).nonce
        #expect(Base64URL.decode(nonce.dropFirst(3))?.first == number)
    }

    @Test("are refused when any character is changed, added or taken away")
    func forged() throws {
        let nonce = try challenges().make(for: .signIn, session: nil).nonce
        for index in nonce.indices.dropFirst(3) {
            var changed = nonce
            changed.replaceSubrange(index...index, with: nonce[index] == "A" ? "B" : "A")
            #expect(throws: AccountError(.challengeInvalid, "")) {
                try challenges().verify(changed, for: .signIn, session: nil)
            }
        }
        for wrong in [nonce + "A", String(nonce.dropLast()), "c1.", "c1.AAAA"] {
            #expect(throws: AccountError(.challengeInvalid, "")) {
                try challenges().verify(wrong, for: .signIn, session: nil)
            }
        }
    }

    @Test("stay valid after a change of keys as long as the old key stays in the ring")
    func rotation() throws {
        let nonce = try challenges().make(for: .signIn, session: nil).nonce
        _ = try challenges(ring: "\(KeyRingTests.two),\(KeyRingTests.one)").verify(nonce, for: .signIn, session: nil)
        #expect(throws: AccountError(.challengeInvalid, "")) {
            try challenges(ring: KeyRingTests.two).verify(nonce, for: .signIn, session: nil)
        }
    }

    @Test("need a session for any purpose but sign-in, and are refused for an unknown purpose")
    func needs() throws {
        for purpose in Challenge.Purpose.all where purpose != .signIn {
            #expect(throws: AccountError(.sessionEnded, "")) { try challenges().make(for: purpose, session: nil) }
        }
        for word in ["fly", "unlink"] {
            #expect(throws: AccountError(.challengeInvalid, "")) {
                try challenges().make(for: Challenge.Purpose(rawValue: word), session: session)
            }
        }
    }
}
