import AppleIDTypes
import HTTPTypes

/// The answer to a request that is not fulfilled. How it looks is decided by who asked: see ``RefusalMiddleware``.
struct Refusal: Error {
    let status: HTTPResponse.Status
    let code: AppleErrorCode
    /// For the developer in front of it; may hold what the client sent, and is escaped wherever it is shown.
    let description: String
    /// The emulator's reason, which Apple's response doesn't say. It goes to a response header and to the request log, so
    /// it never holds a value that a client sent.
    let reason: String?
    var headers: HTTPFields = [:]
    /// The member of a JSON body that it is about, as `teams[0].apps[1].id`.
    var place: String?

    /// - Parameter reason: the reason for the header and the request log. For `invalid_client` it is the description,
    ///   because Apple's `invalid_client` has none.
    init(
        _ code: AppleErrorCode, _ description: String, status: HTTPResponse.Status = .badRequest, reason: String? = nil
    ) {
        self.status = status
        self.code = code
        self.description = description
        self.reason = reason ?? (code == .invalidClient ? description : nil)
    }
}
