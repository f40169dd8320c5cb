import AccountSQL
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@testable import AccountService

@Suite("An answer of Apple's that waits for its key")
struct WaitingAnswerTests {
    private static let nonce = "a nonce of the waiting answers"

    /// Writes into the outbox what Apple has given for the code of `person`, beside the identity token of Johnny.
    private func entry(
        _ house: OutboxHouse, ofCodeOf person: String, sealedBy seal: Seal? = nil
    ) async throws -> OutboxID {
        let (client, nonce) = (OutboxHouse.juice, Self.nonce)
        let johnny = try await house.emulator.authorize(client: client, nonce: nonce.sha256, native: true)
        let other = try await house.emulator.authorize(
            person: person, client: client, nonce: nonce.sha256, native: true)
        let code = try #require(person == "johnny" ? johnny.code : other.code)
        let token = try #require(johnny.identityToken)
        // Apple signs with a new key from now on, and does not answer who asks for it.
        _ = try await house.outbox.apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(audiences: [client], nonce: .hashed(ofRaw: nonce)))
        try await house.rotateKeys()
        house.apple.fail("/auth/keys", with: .status(503))
        let error = await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) {
            try await house.outbox.apple.exchange(code: code, client: client, nonce: .hashed(ofRaw: nonce))
        }
        let grant = try #require(error?.cause as? UnverifiedGrant)
        let id = OutboxID(at: house.now, randomness: house.clock.appleIDEnvironment.randomBytes(10))
        let waiting = WaitingCode(
            // An older device names no code in its token.
            code: try #require(johnny.code).rawValue, identityToken: token,
            nonce: nonce, isHashed: true,
            answer: WaitingCode.Answer(
                identityToken: try #require(grant.identityToken), accessToken: grant.accessToken?.rawValue,
                refreshToken: try #require(grant.refreshToken).rawValue))
        try await house.store.insertIntoOutbox(
            OutboxEntry(
                id: id, kind: .code, clientID: client,
                sealed: try (seal ?? house.outbox.codeSeal).seal(
                    Array(try JSONEncoder().encode(waiting)), row: id.rawValue, client: client.rawValue),
                personHash: nil, createdAt: house.now))
        return id
    }

    @Test("is the person's whom the token beside the code is about")
    func theirs() async throws {
        let house = try await OutboxHouse()
        let id = try await entry(house, ofCodeOf: "johnny")
        try await house.outbox.drain()
        #expect(try await house.entry(id).state == .waiting)
        try await house.findsKeys()
        #expect(try await house.entry(id).state == .done)
        house.clock.advance(by: OutboxEntry.unusedRest)
        try await house.outbox.drain()
        #expect(house.apple.count(of: "/auth/revoke") == 1)
    }

    @Test("is left alone when it is another person's")
    func anothers() async throws {
        let house = try await OutboxHouse()
        let id = try await entry(house, ofCodeOf: "zoe")
        try await house.findsKeys()
        let entry = try await house.entry(id)
        #expect(entry.state == .expired && entry.failure == "subject_mismatch" && entry.sealed == nil)
        #expect(house.apple.count(of: "/auth/revoke") == 0)
        let again = try await house.emulator.authorize(person: "zoe", client: "com.example.juice.web")
        #expect(again.user == nil)
    }

    @Test("is parked, and not lost, where the key ring does not open it")
    func otherKeys() async throws {
        let house = try await OutboxHouse()
        let other = Seal(.waitingCode, keyRing: try KeyRing(parsing: KeyRingTests.two))
        let id = try await entry(house, ofCodeOf: "johnny", sealedBy: other)
        try await house.outbox.drain()
        let entry = try await house.entry(id)
        #expect(entry.state == .parked && entry.failure == "configuration" && entry.sealed != nil)
    }

    @Test("is given up, and not tried for ever, where it opens and is no answer")
    func damaged() async throws {
        let house = try await OutboxHouse()
        let id = OutboxID(at: house.now, randomness: house.clock.appleIDEnvironment.randomBytes(10))
        let client = OutboxHouse.juice
        let sealed = try house.outbox.codeSeal.seal(Array("{}".utf8), row: id.rawValue, client: client.rawValue)
        try await house.store.insertIntoOutbox(
            OutboxEntry(id: id, kind: .code, clientID: client, sealed: sealed, personHash: nil, createdAt: house.now))
        try await house.outbox.drain()
        let entry = try await house.entry(id)
        #expect(entry.state == .expired && entry.failure == "unreadable" && entry.sealed == nil)
    }

    @Test("is tried for longer than a code lives, and no longer than its identity token does")
    func patience() async throws {
        let house = try await OutboxHouse()
        let id = try await entry(house, ofCodeOf: "johnny")
        for _ in 0..<3 {
            house.clock.advance(by: .seconds(6 * 3_600))
            try await house.outbox.drain()
            #expect(try await house.entry(id).state == .waiting)
        }
        house.clock.advance(by: .seconds(12 * 3_600))
        try await house.findsKeys()
        #expect(try await house.entry(id).state == .expired)
    }
}

extension OutboxHouse {
    fileprivate func rotateKeys() async throws {
        let answer = try await apple.send(
            AppleRequest(
                method: "POST", url: Self.emulatorURL + "/emulator/keys/rotate",
                headers: [("Content-Type", "application/json")], body: Array("{}".utf8)))
        try #require(answer.status == 200)
    }

    fileprivate func findsKeys() async throws {
        apple.fail("/auth/keys", with: nil)
        clock.advance(by: .seconds(120))
        try await outbox.drain()
    }
}
