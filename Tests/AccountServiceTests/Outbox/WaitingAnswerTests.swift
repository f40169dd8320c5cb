import AccountDatabase
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@testable import AccountService

@Suite("An answer of Apple's that waits for its key")
struct WaitingAnswerTests {
    private static let nonce = "a nonce of the waiting answers"

    /// Writes into the outbox what Apple has given for the code of `person`, beside the identity token of Johnny.
    private func entry(
        _ system: OutboxSystem, ofCodeOf person: String, sealedBy seal: Seal? = nil
    ) async throws -> OutboxID {
        let (client, nonce) = (OutboxSystem.juice, Self.nonce)
        let johnny = try await system.emulator.authorize(client: client, nonce: nonce.sha256, native: true)
        let other = try await system.emulator.authorize(
            person: person, client: client, nonce: nonce.sha256, native: true)
        let code = try #require(person == "johnny" ? johnny.code : other.code)
        let token = try #require(johnny.identityToken)
        // Apple signs with a new key from now on, and does not answer who asks for it.
        _ = try await system.outbox.apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(audiences: [client], nonce: .hashed(ofRaw: nonce)))
        try await system.rotateKeys()
        system.apple.fail("/auth/keys", with: .status(503))
        let error = await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) {
            try await system.outbox.apple.exchange(code: code, client: client, nonce: .hashed(ofRaw: nonce))
        }
        let grant = try #require(error?.cause as? UnverifiedGrant)
        let id = OutboxID(at: system.now, randomness: system.clock.appleIDEnvironment.randomBytes(10))
        let waiting = WaitingCode(
            // An older device names no code in its token.
            code: try #require(johnny.code).rawValue, identityToken: token,
            nonce: nonce, isHashed: true,
            answer: WaitingCode.Answer(
                identityToken: try #require(grant.identityToken), accessToken: grant.accessToken?.rawValue,
                refreshToken: try #require(grant.refreshToken).rawValue))
        try await system.store.insertIntoOutbox(
            OutboxEntry(
                id: id, kind: .code, clientID: client,
                sealed: try (seal ?? system.outbox.codeSeal).seal(
                    Array(try JSONEncoder().encode(waiting)), row: id.rawValue, client: client.rawValue),
                personHash: nil, createdAt: system.now))
        return id
    }

    @Test("is accepted once the key is found, if it belongs to the person of the token beside the code")
    func theirs() async throws {
        let system = try await OutboxSystem()
        let id = try await entry(system, ofCodeOf: "johnny")
        try await system.outbox.drain()
        #expect(try await system.entry(id).state == .waiting)
        try await system.findsKeys()
        #expect(try await system.entry(id).state == .done)
        system.clock.advance(by: OutboxEntry.unusedTokenDelay)
        try await system.outbox.drain()
        #expect(system.apple.count(of: "/auth/revoke") == 1)
    }

    @Test("is left alone if it belongs to another person")
    func anothers() async throws {
        let system = try await OutboxSystem()
        let id = try await entry(system, ofCodeOf: "zoe")
        try await system.findsKeys()
        let entry = try await system.entry(id)
        #expect(entry.state == .expired && entry.failure == "subject_mismatch" && entry.sealed == nil)
        #expect(system.apple.count(of: "/auth/revoke") == 0)
        let again = try await system.emulator.authorize(person: "zoe", client: "com.example.juice.web")
        #expect(again.user == nil)
    }

    @Test("is parked, and not lost, if the key ring does not open it")
    func otherKeys() async throws {
        let system = try await OutboxSystem()
        let other = Seal(.waitingCode, keyRing: try KeyRing(parsing: KeyRingTests.two))
        let id = try await entry(system, ofCodeOf: "johnny", sealedBy: other)
        try await system.outbox.drain()
        let entry = try await system.entry(id)
        #expect(entry.state == .parked && entry.failure == "configuration" && entry.sealed != nil)
    }

    @Test("is given up if it can be opened and is malformed")
    func damaged() async throws {
        let system = try await OutboxSystem()
        let id = OutboxID(at: system.now, randomness: system.clock.appleIDEnvironment.randomBytes(10))
        let client = OutboxSystem.juice
        let sealed = try system.outbox.codeSeal.seal(Array("{}".utf8), row: id.rawValue, client: client.rawValue)
        try await system.store.insertIntoOutbox(
            OutboxEntry(id: id, kind: .code, clientID: client, sealed: sealed, personHash: nil, createdAt: system.now))
        try await system.outbox.drain()
        let entry = try await system.entry(id)
        #expect(entry.state == .expired && entry.failure == "unreadable" && entry.sealed == nil)
    }

    @Test("is retried for longer than a code is valid, and no longer than its identity token")
    func patience() async throws {
        let system = try await OutboxSystem()
        let id = try await entry(system, ofCodeOf: "johnny")
        for _ in 0..<3 {
            system.clock.advance(by: .seconds(6 * 3_600))
            try await system.outbox.drain()
            #expect(try await system.entry(id).state == .waiting)
        }
        system.clock.advance(by: .seconds(12 * 3_600))
        try await system.findsKeys()
        #expect(try await system.entry(id).state == .expired)
    }
}

extension OutboxSystem {
    fileprivate func rotateKeys() async throws {
        let answer = try await apple.send(
            AppleRequest(
                method: .post, url: Self.emulatorURL + "/emulator/keys/rotate",
                headerFields: [.contentType: "application/json"], body: Array("{}".utf8)))
        try #require(answer.status == 200)
    }

    fileprivate func findsKeys() async throws {
        apple.fail("/auth/keys", with: nil)
        clock.advance(by: .seconds(120))
        try await outbox.drain()
    }
}
