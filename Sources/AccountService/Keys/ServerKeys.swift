import AppleID
import Crypto
import Foundation
import Logging
import ServiceLifecycle
import TaskSignals

/// The server's own keys, opened: those that sign access tokens and those behind refresh tokens.
///
/// They live sealed in the store, so that every server on one store has the same, and a restart keeps them. Of the
/// signing keys the active one signs; the next is published before it does, and a retired one is known until the last
/// token that it signed is dead.
package final class ServerKeys: Service {
    struct Opened: Sendable {
        var signing: [SigningKey]
        var refreshTokenKeys: RefreshTokenKeys
        var readAt: Timestamp

        /// ``ServerKeys/open(store:keyRing:environment:logger:)`` has proved that it is there.
        var active: SigningKey
    }

    /// How often each server looks for keys that were rotated.
    package static let pollInterval: Duration = .seconds(30)
    /// A retired key is known for this long: the last server that signs with it notices within ``pollInterval``, and
    /// its last token lives ten minutes.
    static let retiredLifetime: Duration = .hours(1)

    /// An unknown key makes the store be asked again, but not more often than this.
    private static let minimumInterval: Duration = .seconds(1)

    private let store: AccountTransactions
    private let seal: Seal
    private let environment: AppleIDEnvironment
    private let logger: Logger
    private let opened: Lock<Opened>

    private init(
        store: AccountTransactions, seal: Seal, environment: AppleIDEnvironment, logger: Logger, opened: Opened
    ) {
        self.store = store
        self.seal = seal
        self.environment = environment
        self.logger = logger
        self.opened = Lock(opened)
    }

    /// Opens the store's keys; makes those that are missing, as at the first start.
    /// - Throws: ``AccountError/Code/configuration`` when the key ring does not open them.
    static func open(
        store: AccountTransactions, keyRing: KeyRingInUse, environment: AppleIDEnvironment, logger: Logger
    ) async throws -> ServerKeys {
        let seal = Seal(.serverKey, keyRing: keyRing)
        let now = Timestamp(environment.now())
        let wanted: [(ServerKey.Purpose, ServerKey.State)] = [
            (.accessTokens, .active), (.accessTokens, .next), (.refreshTokens, .active),
        ]
        var stored = try await store.serverKeys()
        let missing = wanted.filter { purpose, state in
            !stored.contains { $0.purpose == purpose && $0.state == state }
        }
        if !missing.isEmpty {
            let made = try missing.map { purpose, state in
                let id = ServerKeyID(at: now, randomness: environment.randomBytes(10))
                let secret: [UInt8]
                switch purpose {
                case .accessTokens: secret = Array(P256.Signing.PrivateKey().rawRepresentation)
                case .refreshTokens: secret = environment.randomBytes(32)
                }
                let sealed = try seal.seal(secret, row: id.rawValue)
                return ServerKey(id: id, purpose: purpose, state: state, sealed: sealed, createdAt: now)
            }
            stored = try await store.insertMissingServerKeys(made)
        }
        let opened = try open(stored, with: seal, readAt: now)
        return ServerKeys(store: store, seal: seal, environment: environment, logger: logger, opened: opened)
    }

    /// - Throws: ``AccountError/Code/configuration`` when a key ring does not open the store's keys.
    func check(_ keyRing: KeyRing) async throws {
        _ = try Self.open(
            try await store.serverKeys(), with: Seal(.serverKey, keyRing: keyRing),
            readAt: Timestamp(environment.now()))
    }

    /// Checks the key ring of a command that seals something for the servers on a store. A store that no server has opened
    /// yet takes any.
    /// - Throws: ``AccountError/Code/configuration`` when the key ring does not open the store's keys.
    package static func check(_ keyRing: KeyRing, of store: AccountTransactions) async throws {
        let seal = Seal(.serverKey, keyRing: keyRing)
        for key in try await store.serverKeys() { _ = try seal.open(key.sealed, row: key.id.rawValue) }
    }

    /// The public halves of all signing keys, for other services to check our access tokens with.
    ///
    /// The store's keys are read once a second at most. While the store cannot answer, the keys that were read last are
    /// told.
    package func publicKeys() async -> [PublicServerKey] {
        await refreshWherePossible()
        return opened.withLock { $0.signing.map(\.publicKey) }
    }

    /// Looks for rotated keys, for ever. To be run beside the server.
    package func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.pollInterval)) != nil {
                await self.refreshWherePossible()
            }
        }
    }

    /// Refreshes the keys. If the store or the ring fails, the keys that were read last stay.
    private func refreshWherePossible() async {
        do {
            try await refreshIfDue()
        } catch {
            logger.warning("The server's keys could not be read anew.", metadata: ["error": "\(error)"])
        }
    }

    /// Reads the keys anew, unless they were read within a second.
    package func refreshIfDue() async throws {
        if isDue { try await refresh() }
    }

    private var isDue: Bool {
        let now = Timestamp(environment.now())
        let age = opened.withLock { now - $0.readAt }
        // After the clock was set back, the age says nothing.
        return age >= Self.minimumInterval || age < .zero
    }

    var activeSigningKey: SigningKey { opened.withLock { $0.active } }

    var refreshTokenKeys: RefreshTokenKeys { opened.withLock { $0.refreshTokenKeys } }

    /// The key whose tokens begin with this header, or nil.
    ///
    /// A header is compared as a whole with those that we write, so nothing in it is ever parsed or believed.
    func signingKey(writing header: Substring) async throws -> SigningKey? {
        let find: @Sendable () -> SigningKey? = { [self] in
            opened.withLock { $0.signing.first { $0.encodedHeader == header } }
        }
        if let key = find() { return key }
        guard isDue else { return nil }
        try await refresh()
        return find()
    }

    private func refresh() async throws {
        let now = Timestamp(environment.now())
        let fresh = try Self.open(try await store.serverKeys(), with: seal, readAt: now)
        opened.withLock { $0 = fresh }
    }

    private static func open(_ keys: [ServerKey], with seal: Seal, readAt: Timestamp) throws -> Opened {
        var signing: [SigningKey] = []
        var refreshTokenKeys: RefreshTokenKeys?
        for key in keys {
            if key.state == .retired, readAt - (key.retiredAt ?? key.createdAt) > retiredLifetime { continue }
            let secret = try seal.open(key.sealed, row: key.id.rawValue)
            switch key.purpose {
            case .accessTokens:
                signing.append(try SigningKey(id: key.id, state: key.state, rawRepresentation: secret))
            case .refreshTokens:
                if key.state == .active { refreshTokenKeys = RefreshTokenKeys(secret: secret) }
            }
        }
        guard let active = signing.first(where: { $0.state == .active }), let refreshTokenKeys else {
            throw AccountError(.configuration, "the store has no active key for access tokens or refresh tokens")
        }
        return Opened(signing: signing, refreshTokenKeys: refreshTokenKeys, readAt: readAt, active: active)
    }
}

/// A P-256 key that signs access tokens, with the header that it writes.
struct SigningKey: Sendable {
    let id: ServerKeyID
    let state: ServerKey.State
    let privateKey: P256.Signing.PrivateKey
    /// The first part of every token that this key signs.
    let encodedHeader: String

    init(id: ServerKeyID, state: ServerKey.State, rawRepresentation: [UInt8]) throws {
        self.id = id
        self.state = state
        self.privateKey = try P256.Signing.PrivateKey(rawRepresentation: rawRepresentation)
        // The identifier consists of letters, digits and an underscore: nothing to escape.
        self.encodedHeader = Base64URL.text(Array(#"{"alg":"ES256","kid":"\#(id.rawValue)","typ":"at+jwt"}"#.utf8))
    }

    var publicKey: PublicServerKey {
        let point = Array(privateKey.publicKey.rawRepresentation)
        return PublicServerKey(id: id, x: Array(point[..<32]), y: Array(point[32...]))
    }
}

/// A key of this server's own, sealed, as a store keeps it.
package struct ServerKey: Hashable, Sendable {
    package enum Purpose: String, Hashable, Sendable {
        /// Signs access tokens (ES256).
        case accessTokens = "access_tokens"
        /// Derives each refresh token's successor (HMAC-SHA-256).
        case refreshTokens = "refresh_tokens"
    }

    package enum State: String, Hashable, Sendable {
        /// Published already, so that other services know it before it signs.
        case next
        case active
        /// Verifies until the last token it signed is dead.
        case retired
    }

    package var id: ServerKeyID
    package var purpose: Purpose
    package var state: State
    package var sealed: [UInt8]
    /// When the key was made; for the next key, when it was published.
    package var createdAt: Timestamp
    package var retiredAt: Timestamp?

    package init(
        id: ServerKeyID, purpose: Purpose, state: State, sealed: [UInt8], createdAt: Timestamp,
        retiredAt: Timestamp? = nil
    ) {
        self.id = id
        self.purpose = purpose
        self.state = state
        self.sealed = sealed
        self.createdAt = createdAt
        self.retiredAt = retiredAt
    }
}

/// A public key of ours: P-256, for ES256 (RFC 7518, 6.2.1).
package struct PublicServerKey: Hashable, Sendable {
    package let id: ServerKeyID
    /// 32 bytes, big-endian.
    package let x: [UInt8]
    /// 32 bytes, big-endian.
    package let y: [UInt8]
}
