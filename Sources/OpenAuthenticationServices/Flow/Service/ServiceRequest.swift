public import Foundation

/// One call of the account service.
public struct ServiceRequest: Sendable {
    /// `GET`, `POST` …
    public var method: String
    /// Below the backend's URL; begins with a slash: `/v1/authorizations`.
    public var path: String
    /// Backend and path together.
    public var url: URL
    public var headers: [String: String]
    /// JSON; nil when the call has none.
    public var body: Data?
    /// How many bytes an answer may have; a transport gives up on a larger one.
    public var largestAnswer = 256 * 1024

    public init(method: String, path: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
        self.method = method
        self.path = path
        self.url = url
        self.headers = headers
        self.body = body
    }
}

extension ServiceRequest: CustomStringConvertible {
    /// Method and path: headers and body hold secrets.
    public var description: String { "\(method) \(path)" }
}
