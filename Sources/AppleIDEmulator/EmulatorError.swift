/// Why an emulator could not be started or changed. Never the answer to a request.
///
/// Two errors are equal when their codes are.
public struct EmulatorError: Error, Equatable, CustomStringConvertible {
    public let code: Code
    /// What is wrong and with which value; holds no secret.
    public let reason: String
    public let cause: (any Error)?
    /// The member of a portal that is wrong, as `teams[0].apps[1].id`.
    public let place: String?
    public let file: String
    public let line: UInt

    init(
        _ code: Code, _ reason: String, cause: (any Error)? = nil, place: String? = nil, file: String = #fileID,
        line: UInt = #line
    ) {
        self.code = code
        self.reason = reason
        self.cause = cause
        self.place = place
        self.file = file
        self.line = line
    }

    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.code == rhs.code }

    public var description: String {
        let tail = cause.map { " (\(type(of: $0)))" } ?? ""
        return "\(code): \(reason)\(tail)"
    }
}
