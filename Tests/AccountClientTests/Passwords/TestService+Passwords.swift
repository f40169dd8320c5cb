import AccountAPI
import AccountClient
import Foundation

extension TestService {
    /// The account of a person who signs in by password.
    static var accountByPassword: AccountBody {
        var account = account
        account.email = TestDevice.email
        account.waysIn = WaysInBody(apple: false, email: TestDevice.email, hasPassword: true)
        return account
    }

    func answerToPasswords(_ request: ServiceRequest) throws -> ServiceAnswer {
        switch "\(request.method) \(request.path)" {
        case "POST /v1/sign-in/password", "POST /v1/sign-up/finish", "POST /v1/sign-in/link/finish":
            return try signIn()
        case "POST /v1/sign-up", "POST /v1/sign-in/link", "POST /v1/password/forgotten":
            return try .json(202, AcceptedAnswer())
        case "POST /v1/password", "POST /v1/password/reset": return try .json(200, AcceptedAnswer())
        case "POST /v1/email-links":
            return try .json(
                200,
                EmailLinkAnswer(
                    purpose: .signIn, address: nil, expiresAt: APITime(secondsSince1970: 1_700_000_900),
                    needsEmail: true))
        case "POST /v1/reauthenticate/password":
            return try .json(
                200,
                ReauthenticationAnswer(
                    authenticatedAt: APITime(secondsSince1970: 1_700_000_100), accessToken: "access-fresh",
                    expiresIn: 600))
        case "POST /v1/account/upgrade": return try upgrade()
        default: return try .refusal(404, .notFound)
        }
    }

    /// Upgrades the account to Sign in with Apple.
    func upgrade() throws -> ServiceAnswer {
        account.waysIn = WaysInBody(apple: true, email: nil, hasPassword: false)
        account.contactEmail = TestDevice.email
        return try .json(
            200, AccountUpgradeAnswer(account: account, accessToken: "access-upgraded", expiresIn: 600))
    }
}

extension TestDevice {
    static let email = "ada@example.com"
    static let password = "correct horse battery staple"
    static let passwordName = SecretName(service: "com.example.app", account: "password at \(backend)")

    /// A client with a session of a person who has signed in by password.
    func clientByPassword() async throws -> AccountClient {
        service.account = TestService.accountByPassword
        let client = try client()
        try await client.signIn(email: Self.email, password: Self.password)
        return client
    }
}

extension Reply {
    /// A refusal that names a wait.
    static func wait(_ status: Int, _ code: ErrorCode, seconds: Int) -> Self {
        Self { _, _ in
            let details = ErrorDetails.rateLimited(RetryDelay(retryAfter: seconds))
            return try .json(
                status,
                ErrorEnvelope(ErrorEnvelope.Body(code: code, message: "no", requestID: "r", details: details)))
        }
    }
}

extension ServiceAnswer {
    static func passwordRefused(_ reason: PasswordRefusal.Reason) throws -> Self {
        try json(
            400,
            ErrorEnvelope(
                ErrorEnvelope.Body(
                    code: .passwordRefused, message: "no", requestID: "r",
                    details: .passwordRefused(PasswordRefusal(reason: reason, minimumLength: 15)))))
    }
}
