import AccountAPI
import HTTPTypes

/// Why a request is not done, as its client is told. Equal to another failure with the same code.
struct HTTPFailure: Error, Equatable, CustomStringConvertible {
    let code: ErrorCode
    /// One sentence for developers; nothing secret, nothing about the inside of this server.
    let message: String
    let details: ErrorDetails?
    let headers: HTTPFields
    let cause: (any Error)?
    let file: String
    let line: UInt

    init(
        _ code: ErrorCode, _ message: String, details: ErrorDetails? = nil, headers: HTTPFields = [:],
        cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.details = details
        self.headers = headers
        self.cause = cause
        self.file = file
        self.line = line
    }

    /// - Parameters:
    ///   - field: The member, field or parameter, or nil for the whole body.
    ///   - problem: Follows the field's name.
    static func invalidRequest(
        _ field: String?, _ problem: String, cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) -> Self {
        Self(
            .invalidRequest, "\(field.map { "`\($0)`" } ?? "The body") \(problem).",
            details: .invalidRequest(InvalidField(field: field)), cause: cause, file: file, line: line)
    }

    static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    var description: String { "\(code): \(message)" }
}
