public import AppleIDTypes
public import HTTPTypes
import PackageVersion

/// The way in which requests reach Apple: over the network, or in process to an emulator.
public protocol AppleTransport: Sendable {
    /// Sends one request and returns its response.
    ///
    /// A transport follows no redirect, sends nothing twice, ends within a bounded time, and throws when it has no whole
    /// response. It throws a ``TransportFailure`` where it can say why, and `CancellationError` when the calling task is
    /// cancelled.
    func send(_ request: AppleRequest) async throws -> AppleResponse
}

/// A request to one of Apple's endpoints. Printing or mirroring it shows nothing of it.
public struct AppleRequest: Redacted, Sendable {
    /// The method, the absolute URL in its parts, and all header fields but `Content-Length`, which the transport adds.
    public var head: HTTPRequest
    /// The body; empty for a `GET`. It holds client secret, codes and tokens.
    public var body: [UInt8]

    /// Creates a request. The library makes those to Apple itself; tests of a transport make their own.
    public init(_ head: HTTPRequest, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Creates a request to an absolute URL.
    ///
    /// A text that is no absolute URL becomes the path of a request that has no authority.
    public init(method: HTTPRequest.Method, url: String, headerFields: HTTPFields = [:], body: [UInt8] = []) {
        var (scheme, authority, path): (String?, String?, String) = (nil, nil, url)
        if let mark = url.firstRange(of: "://") {
            let rest = url[mark.upperBound...]
            let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
            scheme = String(url[..<mark.lowerBound])
            authority = String(rest[..<end])
            path = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
        }
        self.init(
            HTTPRequest(method: method, scheme: scheme, authority: authority, path: path, headerFields: headerFields),
            body: body)
    }

    /// The absolute URL, for HTTP clients that take one.
    public var url: String {
        let origin = head.scheme.map { "\($0)://" } ?? ""
        return origin + (head.authority ?? "") + (head.path ?? "/")
    }

    /// The `User-Agent` of every request: a product name of our own, because Apple's edge has refused the default names
    /// of HTTP libraries.
    package static let userAgent = "siwa/\(SiwaVersion.current)"

    /// Creates a request for a JSON document.
    package static func get(_ url: String) -> Self {
        Self(method: .get, url: url, headerFields: [.accept: "application/json", .userAgent: userAgent])
    }

    /// Creates a request that posts a form.
    package static func post(
        _ url: String, form: [(name: String, value: String)], bearer token: String? = nil
    ) -> Self {
        var headerFields: HTTPFields = [
            .accept: "application/json", .contentType: "application/x-www-form-urlencoded", .userAgent: userAgent,
        ]
        if let token { headerFields[.authorization] = "Bearer " + token }
        return Self(
            method: .post, url: url, headerFields: headerFields, body: Array(PercentEncoding.form(form).utf8))
    }
}

/// A whole response of Apple's. Printing or mirroring it shows nothing of it.
public struct AppleResponse: Redacted, Sendable {
    /// The status and the header fields. A redirect is a response too.
    public var head: HTTPResponse
    /// The whole body, not decoded, and within the limit that the transport keeps. It may hold tokens.
    public var body: [UInt8]

    /// Creates a response; transports do so.
    public init(_ head: HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Creates a response from its parts.
    public init(status: HTTPResponse.Status, headerFields: HTTPFields = [:], body: [UInt8] = []) {
        self.init(HTTPResponse(status: status, headerFields: headerFields), body: body)
    }

    /// The status code, such as 200.
    public var status: Int { head.status.code }
}
