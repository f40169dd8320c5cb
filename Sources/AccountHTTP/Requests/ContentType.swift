import AccountAPI
import HTTPTypes
import Hummingbird

/// The two kinds of body that requests here have.
enum ContentType: String {
    case json = "application/json"
    case form = "application/x-www-form-urlencoded"

    /// Throws ``ErrorCode/unsupportedMediaType`` unless the request says that its body is this. Parameters such as
    /// `charset` are not looked at: both kinds are UTF-8 here.
    func require(in request: Request) throws(HTTPFailure) {
        let field = request.headers[.contentType] ?? ""
        if field == rawValue { return }
        let type = field.prefix { $0 != ";" }.filter { !$0.isWhitespace }
        guard type.lowercased() == rawValue else {
            throw HTTPFailure(.unsupportedMediaType, "This call takes a body of type \(rawValue).")
        }
    }
}
