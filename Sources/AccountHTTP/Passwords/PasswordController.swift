import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Sign-up, sign-in and changes by password or by a link from a mail, for programs.
struct PasswordController: Sendable {
    let feature: PasswordFeature
    let responses: AccountResponses
    let body: JSONBody
    let callers: CallerReader

    // MARK: Mails

    @Sendable func signUp(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(SignUpRequest.self, from: request)
        try await feature.passwords.signUp(
            email: input.email, password: Password(input.password), name: input.fullName.flatMap { PersonName($0) },
            browser: nil, returnPath: nil, from: callers.caller(of: request, context))
        return try accepted()
    }

    @Sendable func requestLink(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(SignInLinkRequest.self, from: request)
        try await feature.passwords.requestSignInLink(
            email: input.email, browser: nil, returnPath: nil, from: callers.caller(of: request, context))
        return try accepted()
    }

    @Sendable func requestReset(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(ForgottenPasswordRequest.self, from: request)
        try await feature.passwords.requestReset(
            email: input.email, browser: nil, from: callers.caller(of: request, context))
        return try accepted()
    }

    private func accepted() throws -> Response {
        try Response(status: .accepted, json: AcceptedAnswer())
    }

    // MARK: Sign-in

    @Sendable func signIn(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(PasswordSignInRequest.self, from: request)
        let done = try await feature.passwords.signIn(
            email: input.email, password: Password(input.password), client: input.clientID.map { ClientID($0) },
            from: callers.caller(of: request, context, deviceName: input.deviceName))
        return Response(json: try await responses.answer(to: done))
    }

    // MARK: Links

    @Sendable func link(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(EmailLinkRequest.self, from: request)
        let link = try await feature.passwords.link(try LinkSecret(received: input.link), browser: nil)
        return try Response(
            json: EmailLinkAnswer(
                purpose: EmailLinkAnswer.Purpose(rawValue: link.purpose.rawValue),
                address: link.isOfBrowser ? link.address : nil, expiresAt: APITime(link.expiresAt),
                needsEmail: [.signIn, .signUp].contains(link.purpose) && !link.isOfBrowser))
    }

    @Sendable func finishSignUp(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(SignUpFinishRequest.self, from: request)
        let password: PasswordAtLink
        switch (input.password, input.newPassword) {
        case (let repeated?, nil): password = .repeated(Password(repeated))
        case (nil, let new?): password = .new(Password(new))
        default: throw HTTPFailure.invalidRequest("password", "or `newPassword` must be there, and not both")
        }
        let done = try await feature.passwords.finishSignUp(
            try LinkSecret(received: input.link), password: password, email: input.email,
            client: input.clientID.map { ClientID($0) },
            from: callers.caller(of: request, context, deviceName: input.deviceName))
        return Response(json: try await responses.answer(to: done))
    }

    @Sendable func finishSignIn(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(SignInLinkFinishRequest.self, from: request)
        let done = try await feature.passwords.finishSignIn(
            try LinkSecret(received: input.link), email: input.email, client: input.clientID.map { ClientID($0) },
            from: callers.caller(of: request, context, deviceName: input.deviceName))
        return Response(json: try await responses.answer(to: done))
    }

    @Sendable func reset(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(PasswordResetRequest.self, from: request)
        try await feature.passwords.finishReset(
            try LinkSecret(received: input.link), newPassword: Password(input.password),
            from: callers.caller(of: request, context))
        return try Response(json: AcceptedAnswer())
    }

    // MARK: In a session

    @Sendable func change(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(PasswordChangeRequest.self, from: request)
        try await feature.passwords.change(
            current: input.currentPassword.map { Password($0) }, to: Password(input.newPassword),
            endingOthers: input.endOtherSessions, in: context.session, from: callers.caller(of: request, context))
        return try Response(json: AcceptedAnswer())
    }

    @Sendable func reauthenticate(_ request: Request, _ context: SessionContext) async throws -> Response {
        let input = try await body.decode(PasswordReauthenticationRequest.self, from: request)
        let renewed = try await feature.passwords.reauthenticate(
            context.session, password: Password(input.password), from: callers.caller(of: request, context))
        return try Response(json: ReauthenticationAnswer(renewed))
    }
}
