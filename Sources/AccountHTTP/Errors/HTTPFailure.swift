import AccountAPI
import AccountService
import HTTPTypes

/// The refusal or failure of a request, as the client is told. Equal to another failure with the same code.
struct HTTPFailure: Error, Equatable, CustomStringConvertible {
    let code: ErrorCode.Known
    /// One sentence for developers. It holds no secret, and nothing about the inside of this server.
    let message: String
    let details: ErrorDetails?
    let headers: HTTPFields
    let cause: (any Error)?
    /// The page that a browser gets in place of the code's own; nil for that one.
    var page: FailurePage?
    /// The page of a signed-in person to which this failure's page leads; nil for the page's own action. The person
    /// had a session when the attempt began.
    var returnPath: ReturnPath?
    let file: String
    let line: UInt

    init(
        _ code: ErrorCode.Known, _ message: String, details: ErrorDetails? = nil, headers: HTTPFields = [:],
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

    /// - Parameter path: See ``returnPath``.
    init(of error: any Error, backTo path: ReturnPath?) {
        self.init(of: error)
        if let path { returnPath = path }
    }

    /// - Parameters:
    ///   - field: The member, field or parameter, or nil for the whole body.
    ///   - problem: The rest of the sentence, after the field's name.
    static func invalidRequest(
        _ field: String?, _ problem: String, cause: (any Error)? = nil, file: String = #fileID, line: UInt = #line
    ) -> Self {
        Self(
            .invalidRequest, "\(field.map { "`\($0)`" } ?? "The body") \(problem).",
            details: .invalidRequest(InvalidField(field: field)), cause: cause, file: file, line: line)
    }

    /// - Parameter wait: The time until the address may try again. The client is told whole seconds, at least one.
    static func tooManyRequests(_ wait: Duration) -> Self {
        let retryAfter = wholeSeconds(wait)
        return Self(
            .rateLimited, "Too many requests came from this address.",
            details: .rateLimited(RetryDelay(retryAfter: retryAfter)), headers: [.retryAfter: "\(retryAfter)"])
    }

    /// A wait for `Retry-After`, rounded up: whoever waits that long is not refused again. It is never zero, which would be
    /// an invitation to ask again at once.
    static func wholeSeconds(_ wait: Duration) -> Int {
        let (seconds, rest) = wait.components
        return max(1, Int(seconds) + (rest > 0 ? 1 : 0))
    }

    /// The failure, with one header more.
    func adding(_ field: HTTPField) -> Self {
        var headers = headers
        headers.append(field)
        var failure = Self(
            code, message, details: details, headers: headers, cause: cause, file: file, line: line)
        (failure.page, failure.returnPath) = (page, returnPath)
        return failure
    }

    static func == (left: Self, right: Self) -> Bool { left.code == right.code }

    var description: String { "\(code): \(message)" }
}
