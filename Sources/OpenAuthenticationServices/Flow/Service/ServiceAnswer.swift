public import Foundation

/// What came back from a call of the account service, whatever its status.
public struct ServiceAnswer: Sendable {
    public var status: Int
    /// Names as they came; compare them without regard to case.
    public var headers: [String: String]
    public var body: Data

    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension ServiceAnswer: CustomStringConvertible {
    /// The status and the size: the body may hold secrets.
    public var description: String { "\(status), \(body.count) bytes" }
}
