import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird

/// A mistake in a form with an address or a password, which the person can mend. The page shows it beside the field, and
/// keeps what was typed, except passwords.
struct FormMistake {
    /// The words beside the address.
    private(set) var email: String?
    /// The words beside the password that the account has.
    private(set) var password: String?
    /// The words beside the new password.
    private(set) var newPassword: String?

    let status: HTTPResponse.Status
    let headers: HTTPFields

    /// The field that words about waiting stand beside.
    enum Field {
        case email, password, newPassword
    }

    /// Nil for an error that no change of the form mends.
    /// - Parameters:
    ///   - field: The last field of the form, which words about the whole form stand beside.
    ///   - asksForAddress: Whether the form asks for the address and the password together.
    init?(_ error: any Error, in field: Field, asksForAddress: Bool = false) {
        let failure = HTTPFailure(of: error)
        status = failure.code.status
        headers = failure.headersOfPage
        switch failure.code {
        case .wrongCredentials:
            password = asksForAddress ? "The address or the password is wrong." : "The password is wrong."
        case .passwordRefused: newPassword = FailureText.words(ofRefusal: failure.details)
        case .emailNeeded: email = "This is not the address to which we sent the link."
        case .invalidRequest:
            guard case .invalidRequest(let detail) = failure.details, detail.field == "email" else { return nil }
            email = "This is not an email address."
        case .rateLimited, .tooBusy:
            let wait = WaitingTime.words(failure.details)
            let words =
                failure.code == .tooBusy
                ? "Too many people are signing in at this moment. Try again \(wait)."
                : "There were too many attempts. Try again \(wait)."
            switch field {
            case .email: email = words
            case .password: password = words
            case .newPassword: newPassword = words
            }
        default: return nil
        }
    }
}

extension PasswordRefusal {
    /// The reason in words, for the person who chose the password.
    var words: String {
        switch reason {
        case .tooShort: "Use at least \(minimumLength) characters."
        case .tooLong: "Use at most \(PasswordRules.maximumLength) characters."
        case .common: "Many people use this password, so others guess it. Choose another one."
        case .personal: "This is too much like your name, your address, or the name of this site. Choose another one."
        default: "This password can’t be used here. Choose another one."
        }
    }
}

/// A time to wait, in words.
enum WaitingTime {
    /// The words after "Try again" for a failure with these details.
    static func words(_ details: ErrorDetails?) -> String {
        guard case .rateLimited(let delay) = details else { return "in a few minutes" }
        return words(seconds: delay.retryAfter)
    }

    /// The words after "Try again".
    static func words(seconds: Int) -> String {
        guard seconds >= 60 else { return seconds <= 1 ? "in a second" : "in \(seconds) seconds" }
        let minutes = (seconds + 59) / 60
        return minutes == 1 ? "in a minute" : "in \(minutes) minutes"
    }
}

extension HTTPFailure {
    /// The headers of a page that answers with this failure.
    ///
    /// RFC 9110 §11.6.1 wants a scheme beside every 401. Browsers ask for nothing by themselves when they see this one.
    var headersOfPage: HTTPFields {
        var headers = self.headers
        if code.status == .unauthorized { headers[.wwwAuthenticate] = "Bearer" }
        return headers
    }
}

/// Shows a form again with its mistake, if the person can mend it.
/// - Parameter page: Makes the page from the mistake.
func mending(
    in field: FormMistake.Field, asksForAddress: Bool = false, _ operation: () async throws -> Response,
    page: (FormMistake) async throws -> (html: String, policy: ContentSecurityPolicy?)
) async throws -> Response {
    do {
        return try await operation()
    } catch {
        guard let mistake = FormMistake(error, in: field, asksForAddress: asksForAddress) else { throw error }
        let (html, policy) = try await page(mistake)
        return Response(status: mistake.status, headers: mistake.headers, page: html, policy: policy)
    }
}
