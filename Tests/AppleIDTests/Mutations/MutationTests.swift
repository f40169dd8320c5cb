import AppleIDTypes
import Foundation
import Testing

@testable import AppleID

/// Whatever somebody sends is refused in words or means what it did, and nothing crashes.
///
/// `SIWA_MUTATION_SECONDS` says for how long, `SIWA_MUTATION_SEED` from where; `make soak` takes ten minutes and a new
/// seed.
@Suite("Mutations")
struct MutationTests {
    static let seconds = number("SIWA_MUTATION_SECONDS") ?? 1
    static let seed = number("SIWA_MUTATION_SEED") ?? 20_261_121

    private static func number(_ variable: String) -> UInt64? {
        ProcessInfo.processInfo.environment[variable].flatMap { UInt64($0) }
    }

    let keySet: [UInt8]
    let keys: KeyCache
    let clock = TestClock()
    let identities: IdentityVerifier
    let notifications: NotificationVerifier
    let expectation = IdentityExpectation(audiences: [TestClaims.audience], nonce: .noneSent)

    init() throws {
        keySet = try TestSigner.keySetJSON([TestSigner.shared.publicKey(), TestSigner.other.publicKey()])
        keys = try KeyCache(fixed: keySet)
        identities = IdentityVerifier(keys: keys, environment: clock.environment)
        notifications = NotificationVerifier(keys: keys, environment: clock.environment)
    }

    /// The code with which an identity token fails; nil when it verifies.
    private func code(_ token: String) async -> AppleIDError.Code? {
        await failure { () async throws(AppleIDError) in
            _ = try await identities.verify(token, expecting: expectation)
        }?.code
    }

    @Test("None of ten thousand changed tokens verifies unless it was signed as changed")
    func corpus() async throws {
        var mutations = try TokenMutations(seed: Self.seed)
        #expect(await code(mutations.good) == nil)
        var lines: [[String: String]] = []
        var verified = 0
        for _ in 0..<10_000 {
            let (token, isSigned) = try mutations.next()
            let code = await code(token)
            if code == nil {
                verified += 1
                #expect(isSigned || token == mutations.good, "seed \(Self.seed): \(token)")
            } else {
                #expect(AppleIDError(code ?? .malformedToken, "").kind == .token)
            }
            lines.append(["token": token, "code": code?.description ?? "ok"])
        }
        #expect((500..<9_500).contains(verified), "changes that mean nothing are among them, and others")
        // For the comparison with PyJWT, which has another reading of the same texts (Tests/Peers/pyjwt_verdicts.py).
        guard let path = ProcessInfo.processInfo.environment["SIWA_MUTATIONS"] else { return }
        let object: [String: Any] = [
            "now": TestClaims.issuedAt, "audience": TestClaims.audience.rawValue, "tokens": lines,
            "keys": try JSONSerialization.jsonObject(with: Data(keySet)),
        ]
        try JSONSerialization.data(withJSONObject: object).write(to: URL(filePath: path))
    }

    @Test("Tokens, key sets, notifications and token answers, changed for as long as there is time")
    func loop() async throws {
        var tokens = try TokenMutations(seed: Self.seed)
        let setup = try TestClient()
        let payload = try TestSigner.shared.token(.notification())
        let body = Array(#"{"payload":"\#(payload)"}"#.utf8)
        let answer = Array(
            #"{"access_token":"a","token_type":"Bearer","expires_in":3600,"refresh_token":"r","id_token":"\#(tokens.good)"}"#
                .utf8)
        let deadline = ContinuousClock.now + .seconds(Int(Self.seconds))
        var rounds = 0
        while ContinuousClock.now < deadline {
            rounds += 1
            let (token, isSigned) = try tokens.next()
            if await code(token) == nil { #expect(isSigned || token == tokens.good) }

            let changedKeys = tokens.mutator.change(keySet)
            if let cache = try? KeyCache(fixed: changedKeys) {
                // A key that came out different verifies nothing of the old one's.
                let verifier = IdentityVerifier(keys: cache, environment: clock.environment)
                _ = await failure { () async throws(AppleIDError) in
                    let identity = try await verifier.verify(tokens.good, expecting: expectation)
                    #expect(identity.subject == "001234.abc.5678")
                }
            }

            let events = tokens.mutator.change(
                Array(#"{"type":"consent-revoked","sub":"001234.abc.5678","event_time":1700000000}"#.utf8))
            let notification = try TestSigner.shared.token(
                .notification(["events": String(decoding: events, as: UTF8.self)]))
            for body in [tokens.mutator.change(body), Array(#"{"payload":"\#(notification)"}"#.utf8)] {
                let error = await failure { () async throws(AppleIDError) in
                    _ = try await notifications.verify(
                        body: body, expecting: NotificationExpectation(audiences: [TestClaims.audience]))
                }
                #expect(error == nil || error?.kind == .token)
            }

            setup.transport.answer(.ok(tokens.mutator.change(answer)))
            let error = await failure { () async throws(AppleIDError) in
                let grant = try await setup.client.exchange(code: "c", client: "com.example.juice", nonce: .noneSent)
                #expect(grant.identity.subject == "001234.abc.5678")
            }
            #expect(error == nil || error?.kind == .signInAgain || error?.kind == .token)
        }
        #expect(rounds > 0)
        print("mutations: \(rounds) rounds from seed \(Self.seed) in \(Self.seconds) s")
    }
}
