import AccountAPI
import AccountService
import AppleIDTypes
import HTTPTypes
import Hummingbird

/// The pages of the ways in to an account: their list, what adds one, and what removes one.
struct LinkPageController: Sendable {
    static let path = returnPath.rawValue
    private static let returnPath = ReturnPath(ofOwnPage: "/account/links")

    let links: Links
    let web: ProviderWebSignIn
    let feature: PasswordFeature
    let proofs: FreshProofs
    let texts: ConsentTexts
    let pages: PageRenderer
    let limits: HTTPLimits
    let callers: CallerReader
    /// The policy of the pages whose form leads to Apple.
    let policy: ContentSecurityPolicy

    /// The thing that happened before the page is shown. The query of the page names it.
    enum Outcome: String, CaseIterable {
        case added, sent, removed, consent, late
        /// The identity opened the account before.
        case present
        /// A mailed link would need a consent that its person hasn't given.
        case addressConsent = "address-consent"
        /// A mailed link came too late: the account has an address.
        case another

        var path: String { "\(LinkPageController.path)?\(rawValue)" }
    }

    @Sendable func page(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let query = try FormFields(queryOf: request, for: Outcome.added.rawValue)
        var form = LinkForm(outcome: Outcome.allCases.first { query[$0.rawValue] != nil })
        // An id of no provider is nothing that the page shows.
        form.provider = query[Outcome.consent.rawValue].flatMap { pages.knownProvider($0) }
        return Response(page: try await page(for: request, context.session, form), policy: policy)
    }

    // MARK: Adding

    /// Sends the browser to Apple. An Apple Account that comes back from there is added.
    @Sendable func sendToApple(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        return try await Self.unlessLate {
            Response(
                to: try await links.begin(
                    in: context.session, consent: form.consent,
                    returnPath: Self.returnPath, browser: request.browserSecret))
        }
    }

    /// Sends the browser to another provider. A person who comes back from there is added.
    @Sendable func sendToProvider(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        return try await Self.unlessLate {
            let id = try context.parameters.provider(takesPasswords: feature.isOn)
            return pages.onward(
                to: try await web.begin(
                    .link(context.session, form.consent), at: id, returnPath: Self.returnPath,
                    browser: request.browserSecret))
        }
    }

    /// Sends an address the link that adds it to the account.
    @Sendable func requestAddress(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        var filled = LinkForm(typed: form.typedEmail, agreedVersion: form.consent?.textVersion)
        return try await mending(in: .newPassword) {
            try await Self.unlessLate {
                let browser = try feature.browser(of: request)
                do {
                    try await feature.passwords.requestLink(
                        in: context.session, email: filled.typed, password: Password(form["newPassword"] ?? ""),
                        consent: form.consent, browser: browser,
                        from: callers.caller(of: request, context))
                } catch let error as AccountError where error.code == .consentRequired {
                    filled.lacksConsentToAddress = true
                    return Response(
                        status: .conflict, page: try await page(for: request, context.session, filled), policy: policy)
                }
                return Response(seeOther: Outcome.sent.path, cookie: browser.cookie)
            }
        } page: { mistake in
            filled.mistake = mistake
            return (try await page(for: request, context.session, filled), policy)
        }
    }

    // MARK: Removing

    @Sendable func ask(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let id = try Self.id(context)
        let list = try await links.list(in: context.session.session)
        guard let identity = list.first(where: { $0.id == id }) else { throw Self.unknown }
        return Response(
            page: pages.linkQuestion(
                identity, isCurrent: id == context.session.session.identityID,
                way: proofs.isFresh(context.session) ? nil : try await proofs.wayToProve(of: context.session)),
            policy: policy)
    }

    /// Removes a way in. If it was removed meanwhile, that is what the person wanted: the list shows it.
    @Sendable func remove(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let id = try Self.id(context)
        return try await Self.unlessLate {
            do {
                let done = try await links.remove(
                    id, in: context.session, from: callers.caller(of: request, context))
                return pages.afterRemoval(
                    needsSteps: done.needsManualRemoval, endsSession: done.endsSession, listedAt: Outcome.removed.path)
            } catch let error as AccountError where error.code == .identityUnknown {
                return Response(seeOther: Self.path)
            }
        }
    }

    // MARK: After a conflict

    /// Signs in to the account of an Apple Account that could not be added. The handle came with the page in answer to
    /// Apple's form.
    @Sendable func signIn(_ request: Request, _ context: BrowserContext) async throws -> Response {
        let form = try await FormFields(bodyOf: request, limits: limits)
        guard let handle = form["handle"].flatMap({ ConflictHandle(rawValue: $0) }), let browser = request.browserSecret
        else {
            throw HTTPFailure(.handleInvalid, "This is no handle of this browser.")
        }
        return Response(
            to: try await links.signIn(
                with: handle, in: context.session, browser: browser, from: callers.caller(of: request, context)))
    }

    // MARK: Parts

    /// Leads to the list of the ways in, which asks for a fresh proof, if the sign-in has become too old.
    static func unlessLate(_ operation: () async throws -> Response) async throws -> Response {
        do {
            return try await operation()
        } catch let error as AccountError where error.code == .requiresRecentLogin {
            return Response(seeOther: Outcome.late.path)
        }
    }

    private func page(for request: Request, _ session: StoredSession, _ form: LinkForm) async throws -> String {
        let isFresh = proofs.isFresh(session)
        let list = try await links.list(in: session.session)
        return pages.links(
            LinkList(
                identities: list, current: session.session.identityID,
                removable: list.filter { identity in links.isRemovable(identity, of: list) }.map(\.id)),
            form, way: isFresh ? nil : try await proofs.wayToProve(of: session),
            rules: feature.isOn && !list.contains { $0.isByEmail } ? try feature.passwords.rules : nil,
            needsConsent: isFresh ? try await links.needsConsent(in: session.session) : (false, false),
            text: try texts.text(ConsentTexts.currentWord, languages: request.acceptedLanguages))
    }

    private static func id(_ context: some RequestContext) throws -> IdentityID {
        guard let id = context.parameters.get("id").flatMap({ IdentityID(receivedText: $0) }) else { throw unknown }
        return id
    }

    private static var unknown: HTTPFailure { HTTPFailure(.identityUnknown, "This account has no such identity.") }
}

extension PageRenderer {
    /// The answer to a form that has removed a way in.
    /// - Parameters:
    ///   - needsSteps: whether the person has to remove the app at Apple by hand.
    ///   - endsSession: whether the browser is signed out, so that its cookie goes.
    ///   - path: the path of the list that showed the way in.
    func afterRemoval(needsSteps: Bool, endsSession: Bool, listedAt path: String) -> Response {
        if needsSteps {
            var headers: HTTPFields = [:]
            if endsSession { headers[.setCookie] = CookieName.session.clearing }
            return Response(headers: headers, page: removedLink(isSignedOut: endsSession))
        }
        guard !endsSession else {
            return Response(seeOther: SignInController.signedOutPath, cookie: CookieName.session.clearing)
        }
        return Response(seeOther: path)
    }
}

/// The forms on the page of the ways in, as they were filled in.
struct LinkForm {
    var outcome: LinkPageController.Outcome?
    /// The id of the provider that ``LinkPageController/Outcome/consent`` is about; nil for Apple.
    var provider: String?
    var typed = ""
    /// The version of the text whose box beside the address was ticked; nil if it wasn't.
    var agreedVersion: String?
    var mistake: FormMistake?
    var lacksConsentToAddress = false
}

/// The ways in to an account, as their page shows them.
struct LinkList {
    let identities: [LinkedIdentity]
    /// The identity that opened the session of the browser.
    let current: IdentityID
    /// The identities without which the person can still sign in.
    let removable: [IdentityID]
}
