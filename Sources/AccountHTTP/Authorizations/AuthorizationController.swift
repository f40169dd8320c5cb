import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

/// Authorizations by Apple for apps where Apple's framework is not: the app's calls, and the pages in the browser.
struct AuthorizationController: Sendable {
    let authorizations: Authorizations
    let body: JSONBody
    let pages: PageRenderer
    let callers: CallerReader
    /// The policy of the page whose form leads to Apple.
    let policy: ContentSecurityPolicy

    /// The last page of an authorization.
    static func endPath(of id: AuthorizationID) -> String { "/authorizations/\(id)/done" }

    // MARK: Calls

    @Sendable func begin(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(BeginAuthorizationRequest.self, from: request)
        let beginning = try await authorizations.begin(
            BeginAuthorization(input), from: callers.address(of: request, context))
        switch beginning {
        case .redirect(let id, let url, let expiresAt):
            return try Response(
                json: RedirectAuthorizationAnswer(id: id.rawValue, url: url, expiresAt: APITime(expiresAt)))
        case .device(let deviceCode, let userCode, let verificationURL, let interval, let expiresAt):
            return try Response(
                json: DeviceAuthorizationAnswer(
                    deviceCode: deviceCode, userCode: userCode, verificationURL: verificationURL,
                    interval: Int(interval.components.seconds), expiresAt: APITime(expiresAt)))
        }
    }

    @Sendable func redeem(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(RedeemAuthorizationRequest.self, from: request)
        let key: Redemption.Key
        switch (input.handle, input.deviceCode) {
        case (let handle?, nil): key = .handle(handle)
        case (nil, let deviceCode?): key = .deviceCode(deviceCode)
        default: throw HTTPFailure.invalidRequest("handle", "or `deviceCode` must be there, and not both")
        }
        let credential = try await authorizations.redeem(Redemption(key, codeVerifier: input.codeVerifier))
        return try Response(json: AuthorizationCredentialBody(credential))
    }

    @Sendable func cancel(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let input = try await body.decode(CancelAuthorizationRequest.self, from: request)
        let key: AuthorizationCancellation.Key
        switch (input.id, input.deviceCode) {
        case (let id?, nil): key = .id(id)
        case (nil, let deviceCode?): key = .deviceCode(deviceCode)
        default: throw HTTPFailure.invalidRequest("id", "or `deviceCode` must be there, and not both")
        }
        try await authorizations.cancel(AuthorizationCancellation(key, codeVerifier: input.codeVerifier))
        return Response(status: .noContent)
    }

    // MARK: Pages

    @Sendable func prompt(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let id = try id(in: context)
        let prompt = try await authorizations.prompt(id)
        return Response(
            page: pages.authorization(
                app: prompt.appName, path: "/authorizations/\(id)", provider: prompt.provider),
            policy: prompt.provider == nil ? policy : .standard)
    }

    /// A POST from our own page, so that no other site's link gets as far as Apple or a provider.
    @Sendable func proceed(_ request: Request, _ context: ServiceContext) async throws -> Response {
        pages.onward(to: try await authorizations.proceed(try id(in: context), browser: request.browserSecret))
    }

    @Sendable func end(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let id = try id(in: context)
        let ending = try await request.withBrowserSecret { try await authorizations.ending(id, browser: $0) }
        let text = AuthorizationEndText(
            ending, provider: ending.provider.map(pages.name(ofProvider:)) ?? "Apple",
            returnPath: "/authorizations/\(id)/return")
        var response = Response(page: pages.authorizationEnd(text, app: ending.appName))
        if let path = text.returnPath {
            response.headers[.refresh] = "\(Self.returnDelay); url=\(path)"
        }
        return response
    }

    /// Browsers forget a page that sends them on within a second; to this one a person must be able to come back, when
    /// the app was not there.
    private static let returnDelay = 2

    @Sendable func returnToApp(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let id = try id(in: context)
        do {
            let location = try await request.withBrowserSecret {
                try await authorizations.returnLocation(id, browser: $0)
            }
            return Response(seeOther: location)
        } catch let error as AccountError where error.code == .authorizationExpired {
            // The last page says that its time is over.
            return Response(seeOther: Self.endPath(of: id))
        }
    }

    /// Answers HEAD. It is safe (RFC 9110 §9.2.1), so it makes no handle, and leads to the page with the link.
    @Sendable func answerHead(_ request: Request, _ context: ServiceContext) async throws -> Response {
        Response(seeOther: Self.endPath(of: try id(in: context)))
    }

    private func id(in context: ServiceContext) throws -> AuthorizationID {
        guard let id = context.parameters.get("id").flatMap({ AuthorizationID(receivedText: $0) }) else {
            throw HTTPFailure(.authorizationUnknown, "This is no id of an authorization.")
        }
        return id
    }
}

extension BeginAuthorization {
    fileprivate init(_ request: BeginAuthorizationRequest) {
        self.init(
            app: AppID(request.app), redirectURI: request.redirectURI, codeChallenge: request.codeChallenge,
            scope: request.scope, nonce: request.nonce, state: request.state, provider: request.provider)
    }
}

extension AuthorizationCredentialBody {
    fileprivate init(_ credential: AuthorizationCredential) {
        self.init(
            user: credential.user.rawValue, identityToken: credential.identityToken,
            authorizationCode: credential.authorizationCode?.rawValue, email: credential.email,
            fullName: credential.name.map { FullName($0) }, scope: credential.scope, state: credential.state)
    }
}

extension FullName {
    fileprivate init(_ name: PersonName) {
        self.init(
            givenName: name.givenName, familyName: name.familyName, middleName: name.middleName,
            namePrefix: name.namePrefix, nameSuffix: name.nameSuffix, nickname: name.nickname)
    }
}
