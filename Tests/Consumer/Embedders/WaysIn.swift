import AccountService
import AppleID
import AppleIDTypes
import OpenIDConnect

// Everything around several ways in to one account, for a program that has a protocol of its own.

struct WaysInToAccounts {
    let domain: AccountDomain
    let caller = Caller(address: "192.0.2.1", device: nil, languages: ["en"])

    // MARK: Addresses and passwords

    func signUp(email: String, password: String, in passwords: Passwords) async throws {
        try await passwords.signUp(
            email: email, password: Password(password), name: nil, browser: nil, returnPath: nil, from: caller)
    }

    func finishSignUp(link: LinkSecret, password: String, in passwords: Passwords) async throws -> TokenSignIn {
        do {
            return try await passwords.finishSignUp(
                link, password: .repeated(Password(password)), client: nil, from: caller)
        } catch let error as AccountError where error.code == .passwordRefused {
            let refusal: PasswordRules.Refusal? = error.refusal
            switch refusal?.reason {
            case .tooShort: print("at least", refusal?.minimumLength ?? 0)
            case .tooLong, .common, .personal, nil: print("another one, please")
            @unknown default: print("another one, please")
            }
            throw error
        }
    }

    func signIn(email: String, password: String, in passwords: Passwords) async throws -> TokenSignIn {
        try await passwords.signIn(email: email, password: Password(password), client: nil, from: caller)
    }

    func signIn(link: LinkSecret, email: String, in passwords: Passwords) async throws -> TokenSignIn {
        let known: EmailLink = try await passwords.link(link, browser: nil)
        guard known.purpose == EmailLink.Purpose.signIn else { throw WrongLink() }
        return try await passwords.finishSignIn(link, email: email, client: nil, from: caller)
    }

    func change(_ session: StoredSession, to password: String, in passwords: Passwords) async throws {
        let fresh: Reauthenticated = try await passwords.reauthenticate(
            session, password: Password("the former one"), from: caller)
        print(fresh.authenticatedAt)
        let ways: WaysIn = try await domain.waysIn(of: session.account.id)
        guard ways.hasPassword else { return }
        try await passwords.change(
            current: Password("the former one"), to: Password(password), endingOthers: true, in: session, from: caller)
    }

    func reset(email: String, link: LinkSecret, to password: String, in passwords: Passwords) async throws {
        try await passwords.requestReset(email: email, browser: nil, from: caller)
        try await passwords.finishReset(link, newPassword: Password(password), from: caller)
    }

    // MARK: Other providers

    func signIn(at provider: ProviderConfiguration, token: String, nonce: String) async throws -> TokenSignIn {
        let request = ProviderSignIn(provider: "\(provider.id)", identityToken: token, nonce: nonce)
        return try await domain.signIn.native(request, from: caller)
    }

    func providers() -> [ProviderConfiguration] {
        let providers: Providers = domain.providers
        return providers.configurations
    }

    // MARK: Several ways in to one account

    func addApple(_ request: NativeSignIn, to session: StoredSession) async throws -> [LinkedIdentity] {
        do {
            return try await domain.links.linkApple(in: session, with: request, consent: nil, from: caller)
        } catch let error as AccountError where error.code == .credentialAlreadyInUse {
            guard let conflict: CredentialConflict = error.conflict else { throw error }
            return try await merge(conflict.handle, into: session)
        }
    }

    func addAddress(_ email: String, password: String, to session: StoredSession, in passwords: Passwords) async throws
    {
        try await passwords.requestLink(
            in: session, email: email, password: Password(password), consent: nil, from: caller)
    }

    func removeWayIn(_ identity: IdentityID, from session: StoredSession) async throws -> Bool {
        let done: Unlinked = try await domain.links.remove(identity, in: session, from: caller)
        return done.endsSession
    }

    func merge(_ handle: ConflictHandle, into session: StoredSession) async throws -> [LinkedIdentity] {
        let plan: MergePlan = try await domain.merges.plan(with: handle, in: session)
        let (moves, losses): (MergePlan.Moves, MergePlan.Losses) = (plan.moves, plan.losses)
        print(moves.profile.map(\.rawValue), losses.sessions, plan.expiresAt)
        let confirmation: MergeConfirmation = plan.confirmation
        let merged: MergedAccounts = try await domain.merges.merge(
            with: handle, confirming: confirmation,
            consent: plan.consent.map { ConsentGiven(textVersion: $0.textVersion) },
            in: session, from: caller)
        print(merged.from, merged.mergedAt)
        return try await domain.links.list(in: session.session)
    }

    /// Signs in to the other account instead.
    func leave(by handle: ConflictHandle, _ session: StoredSession) async throws -> TokenSignIn {
        try await domain.links.signIn(with: handle, in: session, from: caller)
    }

    func upgrade(_ session: StoredSession, with request: NativeSignIn) async throws -> Account {
        let upgraded: Upgraded = try await domain.upgrades.upgrade(
            session, with: request, consent: nil, endingOthers: false, from: caller)
        return upgraded.account
    }

    // MARK: Consents

    func withdraw(_ consent: Consent, in session: StoredSession) async throws -> Bool {
        let requirement: Consent.Requirement? = try await domain.consents.missing(for: session.account.id)
        print(requirement?.textVersion ?? "none")
        let withdrawal: ConsentWithdrawal = try await domain.consents.withdraw(consent.id, in: session, from: caller)
        return withdrawal.kept.isEmpty
    }

    // MARK: In a browser

    func ending(of form: [(name: String, value: String)], cookie: BrowserSecret?) async throws -> String {
        let ending: WebEnding = try await domain.callback.finish(
            try AuthorizationResponse(form: form), browser: cookie, from: caller)
        switch ending {
        case .signIn(let done): return done.returnPath.rawValue
        case .deleted(let receipt): return "/deleted/\(receipt.handle.rawValue)"
        case .upgraded, .linked, .linkedBefore: return ReturnPath.account.rawValue
        case .upgradeRefused(_, let path), .cancelled(let path): return path.rawValue
        case .linkNeedsConsent(let provider): return "/consent?provider=\(provider ?? "apple")"
        case .linkConflict: return "/conflict"
        case .authorization(let id): return "/authorizations/\(id)"
        @unknown default: return "/"
        }
    }
}

struct WrongLink: Error {}
