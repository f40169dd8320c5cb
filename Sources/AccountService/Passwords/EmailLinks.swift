import AppleID
public import AppleIDTypes
import Foundation
import Logging

/// A one-time link that was sent to an address, as its holder sees it before they use it.
public struct EmailLink: Hashable, Sendable, Redacted {
    /// The use that a link is good for. Later versions may add purposes.
    public struct Purpose: RawRepresentable, Hashable, Sendable {
        /// The word that is stored and sent.
        public let rawValue: String

        /// Keeps any word, also one that this version doesn't know.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The link finishes a sign-up.
        public static let signUp = Self(rawValue: "sign_up")
        /// The link signs in.
        public static let signIn = Self(rawValue: "sign_in")
        /// The link sets a new password.
        public static let reset = Self(rawValue: "reset")
        /// The link adds an address and a password to the account of the session that asked for it.
        public static let link = Self(rawValue: "link")
    }

    /// How long a link is good for.
    public static let lifetime: Duration = .minutes(15)
    /// The path of the page that a link leads to; the link's secret follows.
    package static let path = "/email-links/"

    /// The use that the link is good for.
    public var purpose: Purpose
    /// The address that the link was sent to.
    public var address: String
    /// Whether the browser that shows the link is the one that asked for it. If it isn't, a sign-in needs the address.
    public var isOfBrowser: Bool
    /// When the link is too old.
    public var expiresAt: Timestamp

    package init(purpose: Purpose, address: String, isOfBrowser: Bool, expiresAt: Timestamp) {
        self.purpose = purpose
        self.address = address
        self.isOfBrowser = isOfBrowser
        self.expiresAt = expiresAt
    }
}

/// The part of a sign-up that waits in its link, sealed.
private struct SealedSignUp: Codable {
    var hash: String
    var name: [String?]?
}

extension Passwords {
    // MARK: Requests

    /// Signs up with an address, a password and a name: sends the address a link that finishes the sign-up.
    ///
    /// The answer is the same whatever the address is. An address that has an account gets a mail that says how to sign
    /// in.
    ///
    /// Throws ``AccountError/Code/requestInvalid`` for the field `email`, ``AccountError/Code/passwordRefused``,
    /// ``AccountError/Code/invalidText`` and ``AccountError/Code/tooBusy``.
    /// - Parameters:
    ///   - browser: the browser that asks; nil for an app.
    ///   - returnPath: where the browser goes at the end; nil for the page of the account.
    public func signUp(
        email: String, password: Password, name: PersonName?, browser: BrowserSecret?, returnPath: ReturnPath?,
        from caller: Caller
    ) async throws {
        let (address, form) = try address(email)
        try rules.check(password, name: name, email: address.rawValue)
        // Before anything is looked up, so that it takes as long for every address.
        let hash = try await hasher.hash(password, of: caller.network)
        var request = request(.signUp, address, form, browser, returnPath, from: caller)
        request.sealed = try linkSeal.seal(
            Array(try JSONEncoder().encode(SealedSignUp(hash: hash.text, name: name?.parts))),
            row: request.id.rawValue)
        begin(request)
    }

    /// Sends an address a link that signs in. An address without an account gets one by it, since the link proves the
    /// address.
    ///
    /// The answer is the same whatever the address is. An address of an account that signs in with Apple gets a mail
    /// that says so. Throws ``AccountError/Code/requestInvalid`` for the field `email`.
    /// - Parameters:
    ///   - browser: the browser that asks, which alone may use the link without typing the address; nil for an app.
    ///   - returnPath: where the browser goes at the end; nil for the page of the account.
    public func requestSignInLink(
        email: String, browser: BrowserSecret?, returnPath: ReturnPath?, from caller: Caller
    ) async throws {
        let (address, form) = try address(email)
        begin(request(.signIn, address, form, browser, returnPath, from: caller))
    }

    /// Sends the person of a session a link that signs in, to the address with which they sign in.
    ///
    /// Requests of strangers for the address don't count for the limit of these mails. Throws
    /// ``AccountError/Code/notByPassword`` where the session is Apple's.
    /// - Parameters:
    ///   - browser: the browser that asks, which alone may use the link without typing the address; nil for an app.
    ///   - returnPath: where the browser goes at the end; nil for the page of the account.
    public func requestSignInLink(
        in session: StoredSession, browser: BrowserSecret?, returnPath: ReturnPath?, from caller: Caller
    ) async throws {
        let (address, form) = try await address(of: session)
        begin(
            request(
                .signIn, address, form, browser, returnPath, limit: .session(session.account.id), from: caller))
    }

    private func address(of session: StoredSession) async throws -> (EmailAddress, EmailForm) {
        let identity = try await sessions.identity(of: session.session)
        guard identity.provider == .email, let email = identity.email else { throw AccountError.notByPassword }
        return try address(email)
    }

    /// Sends the person of a session a link that sets a new password, to the address with which they sign in.
    ///
    /// Requests of strangers for the address don't count for the limit of these mails. Throws
    /// ``AccountError/Code/notByPassword`` where the session is Apple's.
    /// - Parameter browser: the browser that asks; nil for an app.
    public func requestReset(in session: StoredSession, browser: BrowserSecret?, from caller: Caller) async throws {
        let (address, form) = try await address(of: session)
        begin(request(.reset, address, form, browser, nil, limit: .session(session.account.id), from: caller))
    }

    /// Sends an address a link that sets a new password.
    ///
    /// The answer is the same whatever the address is. An address without an account gets a mail that says so, once a
    /// day. Throws ``AccountError/Code/requestInvalid`` for the field `email`.
    /// - Parameter browser: the browser that asks; nil for an app.
    public func requestReset(email: String, browser: BrowserSecret?, from caller: Caller) async throws {
        let (address, form) = try address(email)
        begin(request(.reset, address, form, browser, nil, from: caller))
    }

    func request(
        _ purpose: EmailLink.Purpose, _ address: EmailAddress, _ form: EmailForm, _ browser: BrowserSecret?,
        _ returnPath: ReturnPath?, limit: EmailLinkRequestRecord.Limit = .network, from caller: Caller
    ) -> EmailLinkRequestRecord {
        var request = EmailLinkRequestRecord(
            purpose, to: address.rawValue, form, writer: mail, from: caller, limit: limit, environment)
        request.browserHash = browser?.hash
        request.returnPath = returnPath
        return request
    }

    /// Looks up the address and writes the mail after the answer, so that neither bytes nor time of the answer say anything.
    func begin(_ request: EmailLinkRequestRecord) {
        let isBegun = finishing.beginOptional { [self] in
            do {
                try await store.requestEmailLink(request)
            } catch {
                logger.warning(
                    "A link that was asked for could not be written.",
                    metadata: ["purpose": "\(request.purpose.rawValue)", "error": "\(error)"])
            }
        }
        guard !isBegun else { return }
        logger.warning(
            "A link that was asked for was left out, because too many wait to be written.",
            metadata: ["purpose": "\(request.purpose.rawValue)"])
    }

    // MARK: Links

    /// Returns what a link is good for. It changes nothing, so that a program that opens each link of a mail uses none.
    ///
    /// Throws ``AccountError/Code/linkUnknown``.
    /// - Parameter session: the session of the browser. A link that adds an address to an account is of the browser only if
    ///   the session may use it.
    public func link(
        _ secret: LinkSecret, browser: BrowserSecret?, session: Session? = nil
    ) async throws -> EmailLink {
        let link = try await stored(secret)
        let isOfBrowser =
            link.purpose == .link
            ? session.map { link.canBeUsed(in: $0, browser: browser) } ?? false : link.isOf(browser)
        return EmailLink(
            purpose: link.purpose, address: link.address, isOfBrowser: isOfBrowser, expiresAt: link.expiresAt)
    }

    /// Finishes a sign-up in an app: makes the account, and signs in. The link is used then, and all others of the
    /// address.
    ///
    /// Throws ``AccountError/Code/linkUnknown``, ``AccountError/Code/wrongCredentials`` for a password that is not the
    /// one of the sign-up, ``AccountError/Code/rateLimited`` after too many wrong ones from the network,
    /// ``AccountError/Code/passwordRefused`` for a new one, ``AccountError/Code/emailNeeded`` for a new one without the
    /// address that the link was sent to, ``AccountError/Code/requestInvalid`` for the field `clientID` and
    /// ``AccountError/Code/tooBusy``. Then the link stays good.
    /// - Parameters:
    ///   - email: the address, as the person types it beside a new password. A person who repeats the password of the
    ///     sign-up needs none.
    ///   - client: a configured client of the app; nil takes the Services ID, or the host of the service.
    public func finishSignUp(
        _ secret: LinkSecret, password: PasswordAtLink, email: String? = nil, client: ClientID?, from caller: Caller
    ) async throws -> TokenSignIn {
        let session = RequestedSession.tokens(client: client)
        return try await tokens(of: finishSignUp(secret, password, email, in: session, from: caller))
    }

    /// Finishes a sign-up in a browser: makes the account, and signs in. The link is used then, and all others of the
    /// address.
    ///
    /// Throws like ``finishSignUp(_:password:email:client:from:)``, and ``AccountError/Code/emailNeeded`` where another
    /// browser than the one that signed up gives a new password without the address.
    /// - Parameters:
    ///   - email: the address, as the person types it. The browser that signed up needs none, nor does a person who
    ///     repeats the password of the sign-up.
    ///   - former: the session that the browser has, which ends.
    public func finishSignUp(
        _ secret: LinkSecret, password: PasswordAtLink, email: String? = nil, browser: BrowserSecret,
        former: SessionID?, from caller: Caller
    ) async throws -> WebSignIn {
        let session = RequestedSession.browser(browser, former: former)
        return try await cookie(of: finishSignUp(secret, password, email, in: session, from: caller))
    }

    private func finishSignUp(
        _ secret: LinkSecret, _ password: PasswordAtLink, _ email: String?, in session: RequestedSession,
        from caller: Caller
    ) async throws -> OpenedSession {
        let link = try await stored(secret, for: .signUp)
        let form = try form(of: link)
        let hash: PasswordHash
        var name: PersonName?
        switch password {
        case .repeated(let password):
            let signUp = try signUp(of: link)
            hash = try PasswordHash(text: signUp.hash)
            name = signUp.name.flatMap { PersonName(parts: $0) }
            try await check(password, hash, from: caller)
        case .new(let password):
            try require(email, session, for: link, form)
            try rules.check(password, name: nil, email: link.address)
            hash = try await hasher.hash(password, of: caller.network)
        }
        let moment = now
        let (prepared, sessionSecret) = try record(
            of: form, address: link.address, session: session, at: moment, from: caller)
        var record = prepared
        record.name = name
        let sealed = try seal.seal(Array(hash.text.utf8), row: record.newIdentityID.rawValue)
        let finish = LinkSignInRecord(record: record, link: link, form, forms, sealedPassword: sealed)
        let outcome = try await finishing.perform { [store] in try await store.finishSignUp(finish) }
        return OpenedSession(outcome: outcome, secret: sessionSecret, returnPath: link.returnPath ?? .account)
    }

    /// Checks the password of a sign-up, and counts a wrong one for the network. Anybody can have a link for an address
    /// of their own, and would keep the hashers busy with it for nothing. The count of the address would let strangers
    /// keep a person from finishing their sign-up.
    private func check(_ password: Password, _ hash: PasswordHash, from caller: Caller) async throws {
        let (network, moment) = (forms.failures(from: caller.network), now)
        try await store.requireNoWait(of: network, at: moment)
        guard try await !hasher.verify(password, hash, of: caller.network) else { return }
        try await finishing.perform { [store] in try await store.countFailure(of: network, at: moment) }
        throw AccountError.wrongCredentials
    }

    /// Signs an app in by a link. The link is used then.
    ///
    /// Throws ``AccountError/Code/linkUnknown``, ``AccountError/Code/emailNeeded`` without the address that the link
    /// was sent to, and ``AccountError/Code/requestInvalid`` for the field `clientID`. Then the link stays good.
    /// - Parameters:
    ///   - email: the address, as the person types it.
    ///   - client: a configured client of the app; nil takes the Services ID, or the host of the service.
    public func finishSignIn(
        _ secret: LinkSecret, email: String?, client: ClientID?, from caller: Caller
    ) async throws -> TokenSignIn {
        try await tokens(of: finishSignIn(secret, email, in: .tokens(client: client), from: caller))
    }

    /// Signs a browser in by a link. The link is used then.
    ///
    /// Throws ``AccountError/Code/linkUnknown``, and ``AccountError/Code/emailNeeded`` where another browser than the
    /// one that asked uses the link without the address that it was sent to. Then the link stays good.
    /// - Parameters:
    ///   - email: the address, as the person types it; the browser that asked for the link needs none.
    ///   - former: the session that the browser has, which ends.
    public func finishSignIn(
        _ secret: LinkSecret, email: String?, browser: BrowserSecret, former: SessionID?, from caller: Caller
    ) async throws -> WebSignIn {
        try await cookie(of: finishSignIn(secret, email, in: .browser(browser, former: former), from: caller))
    }

    private func finishSignIn(
        _ secret: LinkSecret, _ email: String?, in session: RequestedSession, from caller: Caller
    ) async throws -> OpenedSession {
        let link = try await stored(secret, for: .signIn)
        let form = try form(of: link)
        try require(email, session, for: link, form)
        let (record, sessionSecret) = try record(
            of: form, address: link.address, session: session, at: now, from: caller)
        let finish = LinkSignInRecord(record: record, link: link, form, forms, sealedPassword: nil)
        let outcome = try await finishing.perform { [store] in try await store.finishSignIn(finish) }
        return OpenedSession(outcome: outcome, secret: sessionSecret, returnPath: link.returnPath ?? .account)
    }

    /// Sets a new password by a link. The link is used then, and all others of the address; all sessions end, and the
    /// password is on again if it was off.
    ///
    /// Throws ``AccountError/Code/linkUnknown``, ``AccountError/Code/passwordRefused`` and
    /// ``AccountError/Code/tooBusy``. Then the link stays good.
    public func finishReset(
        _ secret: LinkSecret, newPassword password: Password, from caller: Caller
    ) async throws {
        let link = try await stored(secret, for: .reset)
        let form = try form(of: link)
        var name: PersonName?
        if let account = link.accountID { name = try await store.account(account)?.name }
        try rules.check(password, name: name, email: link.address)
        let hash = try await hasher.hash(password, of: caller.network)
        let moment = now
        let reset = PasswordResetRecord(
            link: link, form, forms, hash: hash, seal: seal, caller: caller, at: moment,
            mail: PasswordMail(.passwordChanged, writer: mail, at: moment, languages: caller.languages))
        try await finishing.perform { [self] in
            sessions.bell.notify(try await store.finishReset(reset))
        }
    }

    func stored(_ secret: LinkSecret, for purpose: EmailLink.Purpose? = nil) async throws
        -> StoredEmailLink
    {
        guard let link = try await store.emailLink(secret.hash, at: now), purpose == nil || link.purpose == purpose
        else {
            throw AccountError.linkUnknown
        }
        return link
    }

    func form(of link: StoredEmailLink) throws -> EmailForm {
        try EmailForm(EmailAddress(link.address, field: "email"))
    }

    private func signUp(of link: StoredEmailLink) throws -> SealedSignUp {
        guard let sealed = link.sealed else { throw AccountError.linkUnknown }
        return try JSONDecoder().decode(SealedSignUp.self, from: Data(linkSeal.open(sealed, row: link.id.rawValue)))
    }

    /// Requires the address of a link. Somebody could ask for a link to their own address and forward it: it would sign
    /// the person who opens it in to an account whose mail somebody else reads. Only the browser that asked for the
    /// link needs no address. An app does, because a universal link opens the app from any message.
    private func require(
        _ email: String?, _ session: RequestedSession, for link: StoredEmailLink, _ form: EmailForm
    ) throws(AccountError) {
        if case .browser(let browser, _) = session, link.isOf(browser) { return }
        guard let email else {
            throw AccountError(.emailNeeded, "this link needs the address that it was sent to")
        }
        guard try address(email).1 == form else {
            throw AccountError(.emailNeeded, "this link was sent to another address")
        }
    }
}
