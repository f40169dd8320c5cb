public import AppleID
import Crypto

/// Changes the key that signs access tokens, while servers run.
///
/// The next key, which is published already, signs from now on; the active one retires and verifies until the last
/// token that it signed is dead; a new one is published as the next. Servers see it within ``ServerKeys/pollInterval``,
/// and none refuses a token meanwhile: each knew the next key before it signed.
public struct KeyRotation: Sendable {
    /// How long the next key must have been published before it signs: as long as another service may hold a key set
    /// (five minutes), as a server here may take to see the key, and a margin.
    public static let leastPublication: Duration = .minutes(10)

    public struct Outcome: Hashable, Sendable {
        public var retired: ServerKeyID
        public var active: ServerKeyID
        public var next: ServerKeyID
    }

    private let store: any AccountStore
    private let seal: Seal
    private let environment: AppleIDEnvironment

    public init(store: any AccountStore, keyRing: KeyRing, environment: AppleIDEnvironment = .live) {
        self.store = store
        seal = Seal(.serverKey, keyRing: keyRing)
        self.environment = environment
    }

    /// - Parameter atOnce: whether a next key is taken that other services may not know yet: for a key that got out.
    /// - Throws: ``AccountError/Code/keyTooYoung`` without `atOnce`, ``AccountError/Code/configuration`` when the store
    ///   has no keys or the ring does not open the next, ``AccountError/Code/unavailable`` when somebody else was
    ///   faster.
    public func rotate(atOnce: Bool = false) async throws -> Outcome {
        let now = Timestamp(environment.now())
        let keys = try await store.serverKeys().filter { $0.purpose == .accessTokens }
        guard let active = keys.first(where: { $0.state == .active }),
            let next = keys.first(where: { $0.state == .next })
        else {
            throw AccountError(.configuration, "the store has no signing keys yet: a server makes them when it starts")
        }
        guard atOnce || now - next.createdAt >= Self.leastPublication else {
            throw AccountError(
                .keyTooYoung, "the next key was published less than ten minutes ago, so other services may not know it")
        }
        // A key that no server opens must not become the one that all need.
        _ = try seal.open(next.sealed, row: next.id.rawValue)
        let newID = ServerKeyID(at: now, randomness: environment.randomBytes(10))
        let new = ServerKey(
            id: newID, purpose: .accessTokens, state: .next,
            sealed: try seal.seal(Array(P256.Signing.PrivateKey().rawRepresentation), row: newID.rawValue),
            createdAt: now)
        let isDone = try await store.rotateServerKeys(
            ServerKeyRotation(
                at: now, active: active.id, newNext: new, forgetBefore: now - ServerKeys.retiredLifetime, by: .operator)
        )
        guard isDone else {
            throw AccountError(.unavailable, "the keys were being rotated by somebody else")
        }
        return Outcome(retired: active.id, active: next.id, next: newID)
    }
}
