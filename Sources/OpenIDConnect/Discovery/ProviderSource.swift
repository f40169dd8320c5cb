import AppleIDTransport
import AppleIDTypes
import HTTPTypes
import Logging
import TaskSignals

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A provider's discovery document and keys, fetched when they are first needed and kept.
///
/// Both are fetched together, since the document says where the keys are. So they share the cache of keys, its lifetime
/// and its limits: a set older than an hour is refreshed in the background, the last good one serves for a day while the
/// provider fails, and an unknown key causes requests at most once a minute. A document that is refused changes nothing:
/// the last good one serves on.
final class ProviderSource: Sendable {
    /// The document that belongs to the keys in the cache.
    private final class Latest: Sendable {
        private let metadata = Lock<ProviderMetadata?>(nil)

        var value: ProviderMetadata? { metadata.withLock { $0 } }

        func keep(_ new: ProviderMetadata) { metadata.withLock { $0 = new } }
    }

    private let latest: Latest
    private let keys: FetchedKeys<ProviderKey>

    init(
        _ configuration: ProviderConfiguration, transport: LimitedTransport, environment: OpenIDConnectEnvironment,
        instrumentation: AppleIDInstrumentation, logger: Logger
    ) {
        let latest = Latest()
        self.latest = latest
        keys = FetchedKeys(
            of: configuration.id.rawValue, lifetime: KeySetLifetime(freshness: 3_600, maximumStaleness: 86_400),
            now: environment.now, logger: logger
        ) { () async throws(KeySetError) in
            do throws(OpenIDConnectError) {
                return try await instrumentation.call(.discovery, of: configuration.id) {
                    () async throws(OpenIDConnectError) in
                    let metadata = try await Self.metadata(configuration, over: transport)
                    let set = try await Self.keySet(metadata, over: transport, now: environment.now)
                    // The document is kept only with its keys, because they are good only together.
                    latest.keep(metadata)
                    return set
                }
            } catch {
                throw KeySetError(
                    error.code == .providerUnavailable ? .unreachable : .malformedKeySet, error.reason, cause: error)
            }
        }
    }

    private static func metadata(
        _ configuration: ProviderConfiguration, over transport: LimitedTransport
    ) async throws(OpenIDConnectError) -> ProviderMetadata {
        let response = try await transport.response(to: .get(configuration.documentURL))
        // A redirect is no answer: it could lead to another issuer's document.
        guard response.status == 200 else {
            throw OpenIDConnectError(
                .providerUnavailable, "the request for the discovery document was answered with \(response.status)")
        }
        return try ProviderMetadata(response.body, for: configuration)
    }

    private static func keySet(
        _ metadata: ProviderMetadata, over transport: LimitedTransport, now: @Sendable () -> Date
    ) async throws(OpenIDConnectError) -> KeySet<ProviderKey> {
        do throws(KeySetError) {
            return try await KeySet.fetched(from: metadata.keysURL, over: transport, now: now)
        } catch {
            throw OpenIDConnectError(
                error.code == .malformedKeySet ? .malformedAnswer : .providerUnavailable, error.reason,
                cause: error.cause)
        }
    }

    /// Returns the document, and waits for the provider where there is none yet.
    /// - Throws: the reason why there is none: ``OpenIDConnectError/Code/providerUnavailable`` if nothing else is known.
    func metadata() async throws(OpenIDConnectError) -> ProviderMetadata {
        keys.refreshIfOld()
        do throws(KeySetError) {
            try await keys.requireAnyKey()
        } catch {
            throw Self.origin(of: error)
                ?? OpenIDConnectError(.providerUnavailable, error.reason, cause: TransportFailure(in: error))
        }
        guard let metadata = latest.value else {
            throw OpenIDConnectError(.providerUnavailable, "the discovery document is not there")
        }
        return metadata
    }

    /// Returns the key of this name, and waits for the provider where that is needed.
    /// - Throws: ``OpenIDConnectError/Code/unknownKey``; ``OpenIDConnectError/Code/keysUnavailable``.
    func key(_ id: KeyID) async throws(OpenIDConnectError) -> ProviderKey {
        do throws(KeySetError) {
            return try await keys.key(id)
        } catch {
            throw OpenIDConnectError(
                error.code == .unknownKey ? .unknownKey : .keysUnavailable, error.reason,
                cause: Self.origin(of: error) ?? error.cause)
        }
    }

    /// The only key there is for an algorithm, for a token that names none (OpenID Connect Core 1.0 §10.1); nil when there
    /// are several, or none.
    func onlyKey(for algorithm: SigningAlgorithm) -> ProviderKey? {
        let fitting = keys.cachedKeys.filter { $0.algorithms.contains(algorithm) }
        return fitting.count == 1 ? fitting[0] : nil
    }

    /// Fetches document and keys for a token that names no key and is not signed with those that are there, at most once a
    /// minute, as for an unknown key.
    /// - Throws: ``OpenIDConnectError/Code/keysUnavailable``.
    func fetchForUnnamedKey() async throws(OpenIDConnectError) {
        do throws(OpenIDConnectError) {
            // No key of a set has this name, so the cache asks for it.
            _ = try await key(KeyID(""))
        } catch {
            guard error.code == .unknownKey else { throw error }
        }
    }

    /// The number of keys.
    var keyCount: Int { keys.cachedKeys.count }

    /// Fetches document and keys in the background when they are older than an hour.
    func refreshIfOld() { keys.refreshIfOld() }

    /// The error of this library behind an error of the cache.
    private static func origin(of error: KeySetError) -> OpenIDConnectError? {
        switch error.cause {
        case let origin as OpenIDConnectError: origin
        case let behind as KeySetError: Self.origin(of: behind)
        default: nil
        }
    }
}

/// A transport that limits the size and the time of every response, beside the limits of the transport that it uses.
struct LimitedTransport: AppleTransport {
    /// The maximum size of a response. Documents and key sets have less than 20 KB in practice.
    static let maximumAnswerBytes = 65_536

    struct TooLarge: Error {}

    let transport: any AppleTransport
    let timeLimit: Duration

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        let response: AppleResponse
        do {
            response = try await withTimeLimit(timeLimit) { [transport] in
                try await transport.send(request)
            }
        } catch let error as TimeLimitExceeded {
            throw TransportFailure(host: request.host, cause: .answerTimedOut, underlying: error)
        }
        guard response.body.count <= Self.maximumAnswerBytes else {
            throw TransportFailure(host: request.host, cause: .malformedAnswer, underlying: TooLarge())
        }
        return response
    }

    /// - Throws: ``OpenIDConnectError/Code/providerUnavailable`` when there is no whole response in time.
    func response(to request: AppleRequest) async throws(OpenIDConnectError) -> AppleResponse {
        do {
            return try await send(request)
        } catch {
            throw OpenIDConnectError(.providerUnavailable, "the request to the provider was not answered", cause: error)
        }
    }
}

/// A call of a provider, as metrics and spans name it.
enum ProviderCall: String, Sendable {
    case discovery
    case exchange
}

extension AppleIDInstrumentation {
    /// Counts and times a call to a provider, and puts a span around it.
    func call<Answer>(
        _ call: ProviderCall, of provider: ProviderID, _ body: () async throws(OpenIDConnectError) -> Answer
    ) async throws(OpenIDConnectError) -> Answer {
        try await measure(
            CallNames(
                span: "open_id_connect.\(call.rawValue)", outcomeAttribute: "open_id_connect.outcome",
                timer: "open_id_connect.call.duration", counter: "open_id_connect.calls",
                dimensions: [("provider", provider.rawValue), ("call", call.rawValue)]),
            body)
    }
}
