public import AppleIDTransport
import HTTPTypes
import TaskSignals

/// The transport of a ``TestTokenIssuer``: it answers a verifier's request for the key set, or fails where a test says so.
public final class TestKeySetTransport: AppleTransport {
    private struct State {
        var isReachable = true
        var count = 0
    }

    private let keySet: [UInt8]
    private let state = Lock(State())

    init(keySet: String) {
        self.keySet = Array(keySet.utf8)
    }

    /// Whether the account service can be reached. If it can't, a request throws ``TestKeySetUnreachable``.
    public var isReachable: Bool {
        get { state.withLock { $0.isReachable } }
        set { state.withLock { $0.isReachable = newValue } }
    }

    /// The number of requests for the key set, failed ones included.
    public var count: Int { state.withLock { $0.count } }

    /// Answers a request for the key set. Another path is 404.
    /// - Throws: ``TestKeySetUnreachable`` where the test said so.
    public func send(_ request: AppleRequest) async throws -> AppleResponse {
        let isReachable = state.withLock { state in
            state.count += 1
            return state.isReachable
        }
        guard isReachable else { throw TestKeySetUnreachable() }
        guard request.url.hasSuffix("/.well-known/jwks.json") else { return AppleResponse(status: 404, body: []) }
        return AppleResponse(status: 200, headerFields: [.contentType: "application/json"], body: keySet)
    }
}

/// An error that ``TestKeySetTransport`` throws in place of a connection error.
public struct TestKeySetUnreachable: Error, Equatable {
    init() {}
}
