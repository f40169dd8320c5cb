import AccountAPI
import AccountService
import HTTPTypes
import Hummingbird
import OpenIDConnect

/// Sign-in with other providers than Apple: for programs, and in browsers.
struct ProviderController: Sendable {
    let signIn: SignIn
    let links: Links
    let reauthentications: Reauthentications
    let web: ProviderWebSignIn
    let body: JSONBody
    let pages: PageRenderer
    let limits: HTTPLimits
    let callers: CallerReader
    let feature: PasswordFeature
    let responses: AccountResponses

    private func provider(_ parameters: Parameters) throws -> String {
        try parameters.provider(takesPasswords: feature.isOn)
    }

    // MARK: Programs

    @Sendable func native(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let provider = try provider(context.parameters)
        let input = try await body.decode(ProviderSignInRequest.self, from: request)
        let done = try await signIn.native(
            ProviderSignIn(
                provider: provider, identityToken: input.identityToken, nonce: input.nonce,
                name: input.fullName.flatMap { PersonName($0) }),
            from: callers.caller(of: request, context, deviceName: input.deviceName))
        return Response(json: try await responses.answer(to: done))
    }

    @Sendable func link(_ request: Request, _ context: SessionContext) async throws -> Response {
        let provider = try provider(context.parameters)
        let input = try await body.decode(ProviderLinkRequest.self, from: request)
        let linked = try await links.link(
            in: context.session,
            with: ProviderSignIn(
                provider: provider, identityToken: input.identityToken, nonce: input.nonce,
                name: input.fullName.flatMap { PersonName($0) }),
            consent: input.consent.map(ConsentGiven.init),
            from: callers.caller(of: request, context))
        return try Response(json: LinkListAnswer(linked, current: context.session.session.identityID))
    }

    @Sendable func renew(_ request: Request, _ context: SessionContext) async throws -> Response {
        let provider = try provider(context.parameters)
        let input = try await body.decode(ProviderReauthenticationRequest.self, from: request)
        let renewed = try await reauthentications.reauthenticate(
            context.session,
            with: ProviderSignIn(provider: provider, identityToken: input.identityToken, nonce: input.nonce),
            from: callers.caller(of: request, context))
        return try Response(json: ReauthenticationAnswer(renewed))
    }

    // MARK: Browsers

    /// Begins an attempt and sends the browser to the provider, as the link of Apple's button does.
    @Sendable func sendToProvider(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let beginning = try await web.begin(
            .signIn(context.browserSession?.session.id), at: try provider(context.parameters),
            returnPath: try request.returnPath, browser: request.browserSecret,
            // Any site can lead a browser here, and a provider may answer silently. An old browser doesn't say which did.
            isFromElsewhere: !["same-origin", "none"].contains(request.headers[.secFetchSite]))
        return Response(status: .found, headers: [.location: beginning.location, .setCookie: beginning.cookie])
    }

    /// Begins a fresh proof of who the browser's person is. The form says where it returns, in `return`.
    @Sendable func prove(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        let id = try provider(context.parameters)
        return pages.onward(
            to: try await web.begin(
                .reauthentication(context.session), at: id, returnPath: try form.returnPath ?? .account,
                browser: request.browserSecret))
    }

    /// Ends an attempt with the form that the provider has the browser post.
    @Sendable func finishByForm(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try await finish(FormFields(bodyOf: request, limits: limits), request, context)
    }

    /// Ends an attempt with the query that the provider gives the browser. It uses the attempt up, so a browser that
    /// only looks ahead gets nothing.
    @Sendable func finishByQuery(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let purposes: [HTTPField.Name] = [.secPurpose, .purpose, .mozillaPurpose]
        guard !purposes.contains(where: { request.headers[$0]?.contains("prefetch") == true }) else {
            // A good status could be shown in the place of the page later.
            return Response(
                status: .serviceUnavailable,
                headers: [.vary: purposes.map(\.rawName).joined(separator: ", ")])
        }
        return try await finish(FormFields((request.uri.query ?? "").utf8), request, context)
    }

    /// Answers HEAD, which would otherwise end an attempt like GET.
    @Sendable func answerHead(_ request: Request, _ context: ServiceContext) async throws -> Response {
        Response(status: .noContent)
    }

    private func finish(
        _ form: FormFields, _ request: Request, _ context: ServiceContext
    ) async throws -> Response {
        let id = try provider(context.parameters)
        let fields = form.fields.map { (name: $0.name, value: $0.value) }
        do {
            let outcome = try await request.withBrowserSecret { browser in
                try await web.outcome(fields, at: id, browser: browser, from: callers.caller(of: request, context))
            }
            switch outcome {
            case .ended(let ending): return pages.response(to: ending)
            case .failed(let error, let path): throw Self.failure(of: error, backTo: path)
            }
        } catch let error as AccountError where error.code == .cancelled {
            // Status 200: the person did what the page at the provider offers, and nothing went wrong.
            return Response(page: pages.cancelled())
        } catch {
            throw Self.failure(of: error)
        }
    }

    /// A failure with a page that speaks of no Apple Account.
    private static func failure(of error: any Error, backTo path: ReturnPath? = nil) -> HTTPFailure {
        var failure = HTTPFailure(of: error, backTo: path)
        switch failure.code.answer.page {
        case .otherAppleAccount: failure.page = .otherProviderAccount
        case .appleAccountInUse: failure.page = .providerAccountInUse
        case .signInFailed: failure.page = .providerFailed
        default: break
        }
        return failure
    }
}

extension Parameters {
    /// The id of the provider in the path.
    func provider(takesPasswords: Bool) throws -> String {
        let id = self.get("provider") ?? ""
        // Where a setting takes a literal route away, this route gets its requests.
        guard !Providers.reservedIDs.contains(id) else {
            if !takesPasswords, ["password", "link"].contains(id) {
                throw HTTPFailure(.passwordsOff, "This service takes no passwords.")
            }
            throw HTTPFailure(.notFound, "There is nothing at this path.")
        }
        return id
    }
}

extension HTTPField.Name {
    /// The field by which a browser says that it looks ahead, and that nobody has asked for the page yet.
    static var secPurpose: Self { secPurposeName }
    /// The field that older versions of Chromium and Safari send for ``secPurpose``.
    static var purpose: Self { purposeName }
    /// The field that older versions of Firefox send for ``secPurpose``.
    static var mozillaPurpose: Self { mozillaPurposeName }
}

// A field name is checked when it is made; these are valid tokens of RFC 9110.
private let secPurposeName = HTTPField.Name("Sec-Purpose")!
private let purposeName = HTTPField.Name("Purpose")!
private let mozillaPurposeName = HTTPField.Name("X-Moz")!
