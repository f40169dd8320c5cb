public import AppleID
public import AppleIDEmulator
import HTTPTypes
import TaskSignals

/// A transport that carries requests to an emulator in the same process, without a socket.
///
/// It counts what passes, and fails where it is told to, as the network or Apple would.
@available(siwaServer 1.0, *)
public final class EmulatorTransport: AppleTransport {
    /// A way in which an endpoint fails.
    public enum Failure: Sendable {
        /// There is no connection: the request throws ``EmulatorUnreachable`` and never arrives.
        case unreachable
        /// Apple's edge answers with this status, and with a page instead of JSON. The request never arrives.
        case status(Int)
    }

    private struct State {
        var failures: [String: Failure] = [:]
        var counts: [String: Int] = [:]
    }

    private let emulator: Emulator
    private let state = Lock(State())

    /// Creates a transport to an emulator, which need not serve on any port.
    public init(to emulator: Emulator) {
        self.emulator = emulator
    }

    /// Makes an endpoint fail from now on, or work again for nil.
    /// - Parameter path: for example `/auth/token`.
    public func fail(_ path: String, with failure: Failure?) {
        state.withLock { $0.failures[path] = failure }
    }

    /// Returns the number of requests to a path, failed ones included.
    public func count(of path: String) -> Int {
        state.withLock { $0.counts[path] ?? 0 }
    }

    /// Hands a request to the emulator and returns its response.
    /// - Throws: ``EmulatorUnreachable`` where the test said so.
    public func send(_ request: AppleRequest) async throws -> AppleResponse {
        // A request to no absolute URL reaches nobody.
        guard request.head.authority != nil else { throw EmulatorUnreachable(path: request.url) }
        let path = String((request.head.path ?? "/").prefix { $0 != "?" })
        let failure = state.withLock { state in
            state.counts[path, default: 0] += 1
            return state.failures[path]
        }
        switch failure {
        case .unreachable: throw EmulatorUnreachable(path: path)
        case .status(let status):
            return AppleResponse(
                status: HTTPResponse.Status(code: status), headerFields: [.contentType: "text/html"],
                body: Array("<html></html>".utf8))
        case nil: break
        }
        var head = request.head
        // The emulator itself speaks plain HTTP, whatever stands in front of it.
        head.scheme = "http"
        let (response, body) = await emulator.respond(to: head, body: request.body)
        return AppleResponse(response, body: body)
    }
}

/// An error that ``EmulatorTransport`` throws in place of a connection error.
public struct EmulatorUnreachable: Error, Equatable, CustomStringConvertible {
    /// The path of the request's URL, such as `/auth/token`.
    public let path: String

    /// One sentence for the output of a test that did not expect the error.
    public var description: String { "the emulator is told not to be reachable at \(path)" }
}
