public import AppleIDTypes

/// A request to one of Apple's endpoints.
public struct AppleRequest: Redacted, Sendable {
    /// `GET` or `POST`.
    public var method: String
    /// Absolute.
    public var url: String
    /// All of them but `Host` and `Content-Length`, which are the transport's to add.
    public var headers: [(name: String, value: String)]
    /// Empty for `GET`. Holds client secret, codes and tokens.
    public var body: [UInt8]

    /// For tests of a transport; requests to Apple are made by the library.
    public init(method: String, url: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
    }

    /// A product name of our own: Apple's edge has refused the default names of HTTP libraries.
    package static let userAgent = "siwa/0.1.0"

    package static func get(_ url: String) -> Self {
        Self(method: "GET", url: url, headers: [("Accept", "application/json"), ("User-Agent", userAgent)])
    }

    package static func post(
        _ url: String, form: [(name: String, value: String)], authorization token: AccessToken? = nil
    ) -> Self {
        var headers = [
            ("Accept", "application/json"), ("Content-Type", "application/x-www-form-urlencoded"),
            ("User-Agent", userAgent),
        ]
        if let token { headers.append(("Authorization", "Bearer " + token.rawValue)) }
        return Self(method: "POST", url: url, headers: headers, body: Array(PercentEncoding.form(form).utf8))
    }
}
