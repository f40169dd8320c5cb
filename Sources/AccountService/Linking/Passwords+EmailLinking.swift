import AppleID
import AppleIDTypes
import Foundation

/// The part of a link to an account that waits in the mailed link, sealed.
private struct SealedLink: Codable {
    var hash: String
    /// The version of the consent text that the person agreed to.
    var consent: String?
}

extension Passwords {
    /// Asks for one more way in to the account of a session: an address and a password. Sends the address a link that this
    /// session alone can finish, or the browser that asked while its person is signed in to the account.
    ///
    /// The answer is the same whatever the address is. An address that signs in to an account gets a mail that says so.
    ///
    /// Throws ``AccountError/Code/requiresRecentLogin``, ``AccountError/Code/alreadyLinked`` for an account that has an
    /// address to sign in with, ``AccountError/Code/consentRequired`` where an Apple Account of the account hides its address
    /// and the person hasn't agreed to the current text, ``AccountError/Code/rateLimited`` where they have withdrawn such a
    /// consent too often, and like ``signUp(email:password:name:browser:returnPath:from:)``.
    /// - Parameter browser: the browser that asks; nil for an app.
    public func requestLink(
        in session: StoredSession, email: String, password: Password, consent: ConsentGiven?,
        browser: BrowserSecret? = nil, from caller: Caller
    ) async throws {
        let (address, form) = try address(email)
        try session.session.requireRecentSignIn(at: now)
        try rules.check(password, name: session.account.name, email: address.rawValue)
        try await store.requireLinkable(
            SignInRecord.Person(form, address: address.rawValue), in: session.session.accountID, consent,
            currentText: configuration.consentTexts.current, at: now)
        let hash = try await hasher.hash(password, of: caller.network)
        var request = request(
            .link, address, form, browser, nil, limit: .session(session.account.id), from: caller)
        request.session = session.session
        request.sealed = try linkSeal.seal(
            Array(try JSONEncoder().encode(SealedLink(hash: hash.text, consent: consent?.textVersion))),
            row: request.id.rawValue)
        begin(request)
    }

    /// Adds the address and the password of a link to the account of the session that asked for them. The link is used then,
    /// and all others of the address.
    ///
    /// Throws ``AccountError/Code/linkUnknown``, also in another session or browser, ``AccountError/Code/alreadyLinked`` and
    /// ``AccountError/Code/consentRequired`` if that has changed since, and ``AccountError/Code/sessionEnded``. If the text is
    /// a newer one than the person agreed to, the link can't be used any more: the person asks for a new link.
    /// - Parameter browser: the browser that uses the link. Its session may be newer than the one that asked, if both are of
    ///   the same account. Nil for an app.
    /// - Returns: the identities that open the account then.
    public func finishLink(
        _ secret: LinkSecret, in session: StoredSession, browser: BrowserSecret? = nil, from caller: Caller
    ) async throws -> [LinkedIdentity] {
        let link = try await stored(secret, for: .link)
        guard link.canBeUsed(in: session.session, browser: browser), let sealed = link.sealed else {
            throw AccountError.linkUnknown
        }
        let form = try form(of: link)
        let asked = try JSONDecoder().decode(
            SealedLink.self, from: Data(linkSeal.open(sealed, row: link.id.rawValue)))
        let moment = now
        let identity = IdentityID(at: moment, randomness: environment.randomBytes(10))
        let finish = EmailLinkingRecord(
            at: moment, link: link.id, session: session.session.id,
            person: SignInRecord.Person(form, address: link.address), form: form, identity: identity,
            sealedPassword: try seal.seal(Array(try PasswordHash(text: asked.hash).text.utf8), row: identity.rawValue),
            consent: ConsentIntake(
                asked.consent.map { ConsentGiven(textVersion: $0) }, currentText: configuration.consentTexts.current,
                at: moment, environment: environment),
            mailID: mail.newID(at: moment), mail: mail,
            twoAccountsMail: TwoAccountsMail(writer: mail, at: moment, languages: caller.languages), caller: caller)
        return try await finishing.perform { [self] in
            let linked = try await store.finishLink(finish)
            sessions.bell.notify(session.session.accountID)
            return linked
        }
    }
}
