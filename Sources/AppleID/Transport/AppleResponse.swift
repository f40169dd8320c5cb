public import AppleIDTypes

/// An answer of Apple's, whole.
public struct AppleResponse: Redacted, Sendable {
    /// Of HTTP, whatever it is: a redirect is an answer too.
    public var status: Int
    /// Nothing here decides by them.
    public var headers: [(name: String, value: String)]
    /// Whole, not decoded, and within the limit that the transport keeps. May hold tokens.
    public var body: [UInt8]

    /// For transports.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
