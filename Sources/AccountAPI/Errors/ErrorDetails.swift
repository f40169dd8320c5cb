/// The `details` of an error; which case it is follows from the error's code.
public enum ErrorDetails: Hashable, Sendable {
    /// With ``ErrorCode/invalidRequest``.
    case invalidRequest(InvalidField)
    /// With ``ErrorCode/rateLimited``.
    case rateLimited(RetryDelay)
}
