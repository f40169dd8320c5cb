import AppleIDTypes
import HTTPTypes

/// The answer to a request that is not fulfilled. How it looks is decided by who asked: see ``RefusalMiddleware``.
struct Refusal: Error {
    let status: HTTPResponse.Status
    let code: AppleErrorCode
    /// For the developer in front of it; may hold what the client sent, and is escaped wherever it is shown.
    let description: String
    var headers: HTTPFields = [:]
    /// The member of a JSON body that it is about, as `teams[0].apps[1].id`.
    var place: String?

    init(_ code: AppleErrorCode, _ description: String, status: HTTPResponse.Status = .badRequest) {
        self.status = status
        self.code = code
        self.description = description
    }
}
