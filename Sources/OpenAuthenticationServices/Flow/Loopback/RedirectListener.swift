import AccountAPI
import TaskSignals

/// Waits for the browser's return, for one authorization: a loopback listener at a path that nobody can guess.
struct RedirectListener: Sendable {
    /// The result that the browser brings.
    enum Redirect: Hashable, Sendable {
        /// A handle for one redemption, with the proof key.
        case handle(String)
        case error(ErrorCode)
    }

    private final class Expectation: Sendable {
        /// nil until the account service has named the authorization.
        let id = Lock<String?>(nil)
    }

    let redirectURI: String
    private let server: LoopbackServer
    private let expectation: Expectation

    init(limits: LoopbackLimits = LoopbackLimits()) throws {
        let expectation = Expectation()
        let path = "/" + RandomText.make(byteCount: 24)
        server = try LoopbackServer(limits: limits) { request in
            guard ConstantTime.equal(request.path, path), let expected = expectation.id.withLock({ $0 }),
                let redirect = Self.redirect(in: request, id: expected)
            else { return nil }
            return switch redirect {
            case .handle: .done
            case .error(.cancelled), .error(.denied): .cancelled
            case .error: .failed
            }
        }
        self.expectation = expectation
        // There is at least one, or there were no server.
        redirectURI = "http://\(server.authorities[0])\(path)"
    }

    /// Accepts the browser's redirect from now on.
    /// - Parameter id: the authorization's id. A request with another id is refused.
    func expect(id: String) {
        expectation.id.withLock { $0 = id }
    }

    /// Waits for the browser.
    /// - Throws: what ``fail(_:)`` was given, or `CancellationError`.
    func redirect() async throws -> Redirect {
        let request = try await server.request()
        // The listener lets nothing else through.
        guard let id = expectation.id.withLock({ $0 }), let redirect = Self.redirect(in: request, id: id) else {
            throw CancellationError()
        }
        return redirect
    }

    func fail(_ error: any Error) {
        server.fail(error)
    }

    /// Returns when nothing listens any more.
    func stop() async {
        await server.stop()
    }

    private static func redirect(in request: LoopbackRequest, id: String) -> Redirect? {
        guard let parameters = request.parameters, let given = parameters["id"], ConstantTime.equal(given, id) else {
            return nil
        }
        switch (parameters["handle"], parameters["error"]) {
        case (let handle?, nil):
            guard (1...512).contains(handle.utf8.count), handle.utf8.allSatisfy(isWordByte) else { return nil }
            return .handle(handle)
        case (nil, let error?):
            guard (1...64).contains(error.utf8.count), error.utf8.allSatisfy(isWordByte) else { return nil }
            return .error(ErrorCode(rawValue: error))
        default:
            return nil
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// Compares two texts in constant time. Only their length may show.
enum ConstantTime {
    /// False when either is empty: an absent value never equals an absent value.
    static func equal(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count, !left.isEmpty else { return false }
        return zip(left.utf8, right.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
