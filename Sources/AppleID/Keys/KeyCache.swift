public import AppleIDTransport
package import AppleIDTypes
public import Logging

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Apple's public keys, fetched when they are first needed and kept.
///
/// A known key is answered at once. A set older than an hour is refreshed in the background while it still serves, for
/// at most seven days if Apple fails. An unknown key asks Apple, at most once a minute. However many ask, one request
/// is under way, and it belongs to no caller: a caller that is cancelled leaves it to the others.
public final class KeyCache: Sendable {
    private let keys: FetchedKeys<ApplePublicKey>

    /// Creates a cache. It asks Apple for nothing before a key is needed.
    /// - Parameter archive: asked once, before Apple is. It is given every key set that Apple publishes.
    public init(
        server: AppleServer, transport: any AppleTransport, archive: KeySetArchive? = nil,
        environment: AppleIDEnvironment = .live, instrumentation: AppleIDInstrumentation = .system, logger: Logger
    ) {
        keys = FetchedKeys(of: "apple", lifetime: .apple, archive: archive, now: environment.now, logger: logger) {
            () async throws(KeySetError) in
            try await instrumentation.call(.keys) { () async throws(KeySetError) in
                try await .fetched(from: server.keysURL, over: transport, now: environment.now)
            }
        }
    }

    /// Creates a cache of a fixed set, never refreshed and never too old: for diagnostics and test vectors.
    /// - Parameter json: a key set as Apple publishes it.
    /// - Throws: ``AppleIDError/Code/malformedAnswer`` when it is no key set or has no usable key.
    public init(fixed json: [UInt8]) throws(AppleIDError) {
        do throws(KeySetError) {
            keys = FetchedKeys(fixed: try KeySet(json, fetchedAt: .distantPast))
        } catch {
            throw AppleIDError(error)
        }
    }

    /// Returns the key of this name, and waits for Apple where that is needed.
    /// - Throws: ``AppleIDError/Code/unknownKey`` when Apple was asked just now and has no such key;
    ///   ``AppleIDError/Code/keysUnavailable`` when it could not be asked, when the last time is too short ago, and
    ///   when the calling task was cancelled.
    package func key(_ id: KeyID) async throws(AppleIDError) -> ApplePublicKey {
        do throws(KeySetError) {
            return try await keys.key(id)
        } catch {
            throw AppleIDError(error)
        }
    }

    /// Waits for Apple's keys if there are none yet. The caller doesn't know yet which key it will need.
    /// - Throws: ``AppleIDError/Code/keysUnavailable``.
    func requireAnyKey() async throws(AppleIDError) {
        do throws(KeySetError) {
            try await keys.requireAnyKey()
        } catch {
            throw AppleIDError(error)
        }
    }

    /// Whether a request to the archive or to Apple is under way.
    var isWorking: Bool { keys.isWorking }

    /// Fetches the set in the background when it is older than an hour.
    ///
    /// The cache does so by itself when a key is asked for; a server calls this every few minutes, so that a quiet one
    /// meets an outage of Apple's with young keys too.
    public func refreshIfOld() { keys.refreshIfOld() }

    /// Returns a key that is there already. Nil doesn't say that Apple has no such key.
    func cachedKey(_ id: KeyID) -> ApplePublicKey? { keys.cachedAppleKey(id) }
}

extension AppleIDError {
    /// The error of the key set in this library's words, with the error behind it.
    init(_ error: KeySetError, file: String = #fileID, line: UInt = #line) {
        let code: Code =
            switch error.code {
            case .unknownKey: .unknownKey
            case .keysUnavailable: .keysUnavailable
            case .unreachable: .appleUnavailable
            case .malformedKeySet: .malformedAnswer
            }
        let cause: (any Error)? =
            switch error.cause {
            case let behind as KeySetError: AppleIDError(behind, file: file, line: line)
            default: error.cause
            }
        self.init(code, error.reason, cause: cause, file: file, line: line)
    }

    /// Whether there are keys, and the token names none of them. Apple can't be asked again yet, so the key counts as
    /// unknown. The sender of the token caused such an error. It is no outage.
    package var isAboutUnknownKeyName: Bool { cause is UnknownKeyName }
}
