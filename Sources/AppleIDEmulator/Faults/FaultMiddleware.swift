import AppleIDTypes
import HTTPTypes
import Hummingbird
import NIOCore

/// Lets the ordered faults happen to requests at Apple's addresses.
///
/// A delay is added to any other fault. A fault that replaces an answer leaves the emulator untouched, as an edge in
/// front of a server does.
struct FaultMiddleware: RouterMiddleware {
    typealias Context = EmulatorContext

    let core: EmulatorCore

    func handle(
        _ request: Request, context: EmulatorContext,
        next: @concurrent (Request, EmulatorContext) async throws -> Response
    ) async throws -> Response {
        guard let endpoint = Fault.Endpoint(path: request.routedPath) else {
            guard Self.signs(request.routedPath) else { return try await next(request, context) }
            return try await FaultInjector.$endpoint.withValue(.authorize) { try await next(request, context) }
        }
        let hits = core.faults.draw([.latency, .outage, .edgeForbidden, .throttle, .cutOff], at: endpoint)
        for fault in hits where fault.kind == .latency {
            try await core.environment.sleep(.milliseconds(fault.milliseconds))
        }
        if let fault = hits.first(where: { $0.kind != .latency }) { return try answer(fault) }
        let response = try await FaultInjector.$endpoint.withValue(endpoint) { try await next(request, context) }
        guard response.headers[.contentType]?.hasPrefix("application/json") == true,
            !core.faults.draw([.junkFields], at: endpoint).isEmpty
        else { return response }
        return try await JunkFields.added(to: response)
    }

    /// Whether a token is signed at this address of the emulator's own, in place of Apple's response to a client's
    /// request.
    private static func signs(_ path: String) -> Bool {
        path.hasPrefix("/auth/authorize/") || path == "/emulator/authorizations"
            || path == "/emulator/device/authorizations"
    }

    private func answer(_ fault: Fault) throws(Refusal) -> Response {
        switch fault.kind {
        case .throttle:
            var refusal = Refusal(.temporarilyUnavailable, "Too many requests, by order of a fault.")
            refusal.retryAfter = fault.retryAfter
            throw refusal
        case .edgeForbidden: return Self.html(.forbidden)
        case .cutOff: return Self.cutOff
        default: return Self.html(HTTPResponse.Status(code: fault.status))
        }
    }

    /// The answer of Apple's edge, which is HTML for every client.
    private static func html(_ status: HTTPResponse.Status) -> Response {
        let text = "<html><head><title>\(status)</title></head><body><h1>\(status)</h1></body></html>\n"
        return Response(
            status: status, headers: [.contentType: "text/html"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// A response that announces more bytes than it sends, and closes the connection.
    private static var cutOff: Response {
        Response(
            status: .ok, headers: [.contentType: "application/json;charset=UTF-8", .contentLength: "1000"],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "{\""))
                throw CutOff()
            })
    }

    /// Ends an answer in its middle.
    struct CutOff: Error {}
}

/// Members that nobody expects, and a key of a kind that nobody knows.
enum JunkFields {
    private static let members = #""junk":{"list":[1,null,"x"],"flag":false},"email_verified":"perhaps""#
    private static let key = #"{"kty":"JUNK","kid":"JUNK000000","use":"sig","alg":"JUNK256","j":"AA"}"#

    /// - Parameter response: JSON, one object.
    static func added(to response: Response) async throws -> Response {
        let collector = BodyCollector()
        try await response.body.write(collector)
        var text = String(decoding: collector.bytes, as: UTF8.self)
        if let keys = text.firstRange(of: #""keys":["#) { text.insert(contentsOf: key + ",", at: keys.upperBound) }
        if let brace = text.lastIndex(of: "}"), text.contains(":") { text.insert(contentsOf: "," + members, at: brace) }
        var spoilt = response
        spoilt.body = ResponseBody(byteBuffer: ByteBuffer(string: text))
        return spoilt
    }
}
