public import AppleID
public import AppleIDEmulator
import HTTPTypes
import Synchronization

/// Carries a client's requests to an emulator in the same process, without a socket.
///
/// It counts what passes, and fails where it is told to, as the network or Apple would.
public final class EmulatorTransport: AppleTransport {
    /// How an endpoint fails.
    public enum Failure: Sendable {
        /// No connection: the request throws ``EmulatorUnreachable`` and never arrives.
        case unreachable
        /// An answer of Apple's edge: this status, with a page instead of JSON. The request never arrives.
        case status(Int)
    }

    private struct State {
        var failures: [String: Failure] = [:]
        var counts: [String: Int] = [:]
    }

    private let emulator: Emulator
    private let state = Mutex(State())

    /// - Parameter emulator: need not serve on any port.
    public init(to emulator: Emulator) {
        self.emulator = emulator
    }

    /// Makes an endpoint fail from now on, or work again for nil.
    /// - Parameter path: for example `/auth/token`.
    public func fail(_ path: String, with failure: Failure?) {
        state.withLock { $0.failures[path] = failure }
    }

    /// How many requests went to a path, failed ones included.
    public func count(of path: String) -> Int {
        state.withLock { $0.counts[path] ?? 0 }
    }

    /// - Throws: ``EmulatorUnreachable`` where the test said so.
    public func send(_ request: AppleRequest) async throws -> AppleResponse {
        let (authority, target) = try Self.split(request.url)
        let path = String(target.prefix { $0 != "?" })
        let failure = state.withLock { state in
            state.counts[path, default: 0] += 1
            return state.failures[path]
        }
        switch failure {
        case .unreachable: throw EmulatorUnreachable(path: path)
        case .status(let status):
            return AppleResponse(
                status: status, headers: [("Content-Type", "text/html")], body: Array("<html></html>".utf8))
        case nil: break
        }
        var head = HTTPRequest(
            method: HTTPRequest.Method(request.method) ?? .get, scheme: "http", authority: authority, path: target)
        for header in request.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            head.headerFields.append(HTTPField(name: name, value: header.value))
        }
        let (response, body) = await emulator.respond(to: head, body: request.body)
        let headers = response.headerFields.map { (name: $0.name.canonicalName, value: $0.value) }
        return AppleResponse(status: response.status.code, headers: headers, body: body)
    }

    /// What is no absolute URL cannot be reached.
    private static func split(_ url: String) throws -> (authority: String, target: String) {
        guard let mark = url.firstRange(of: "://") else { throw EmulatorUnreachable(path: url) }
        let rest = url[mark.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let target = rest[end...]
        return (String(rest[..<end]), target.hasPrefix("/") ? String(target) : "/" + target)
    }
}
