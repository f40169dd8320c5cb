import AppleID
public import AppleIDTypes
import Logging
import TaskSignals

/// A password that was right, and what its use writes.
struct ProvenPassword: Sendable {
    var identity: EmailIdentity
    var form: EmailForm
    /// The version of the password that was checked.
    var version: Int64
    /// The new seal of a hash of ours with the present cost; nil where the stored one is good.
    var rehashed: [UInt8]?
    /// The try, as it was counted.
    var attempt: PasswordTry
    /// When the password was found right.
    var at: Timestamp
}

extension Passwords {
    /// How long after a change of a password the same session may repeat it.
    static let repeatLimit: Duration = .minutes(10)

    // MARK: Sign-in

    /// Signs an app in with an address and a password.
    ///
    /// Throws ``AccountError/Code/wrongCredentials`` where the password is wrong or off, or the address has none: not
    /// told apart, and after the same time. Throws ``AccountError/Code/rateLimited`` after too many wrong ones for the
    /// address or from the network, ``AccountError/Code/requestInvalid`` for the fields `email` and `clientID`,
    /// ``AccountError/Code/accountDisabled`` and ``AccountError/Code/tooBusy``.
    /// - Parameter client: a configured client of the app; nil takes the Services ID, or the host of the service.
    public func signIn(
        email: String, password: Password, client: ClientID?, from caller: Caller
    ) async throws -> TokenSignIn {
        try await tokens(of: signIn(email, password, in: .tokens(client: client), from: caller))
    }

    /// Signs a browser in with an address and a password.
    ///
    /// Throws like ``signIn(email:password:client:from:)``.
    /// - Parameter former: the session that the browser has, which ends.
    public func signIn(
        email: String, password: Password, returnPath: ReturnPath, browser: BrowserSecret, former: SessionID?,
        from caller: Caller
    ) async throws -> WebSignIn {
        var opened = try await signIn(email, password, in: .browser(browser, former: former), from: caller)
        opened.returnPath = returnPath
        return cookie(of: opened)
    }

    private func signIn(
        _ email: String, _ password: Password, in session: RequestedSession, from caller: Caller
    ) async throws -> OpenedSession {
        let form = try address(email).1
        // A client that is not configured is refused before anything is counted.
        _ = try client(of: session)
        let proven = try await prove(password, of: form, from: caller)
        let (record, secret) = try record(of: form, address: nil, session: session, at: proven.at, from: caller)
        let outcome = try await use(proven) { [store] in try await store.signIn(record, with: proven) }
        return OpenedSession(outcome: outcome, secret: secret)
    }

    /// Runs the use of a right password to its end. If it fails, the try doesn't count as a wrong password.
    private func use<Result: Sendable>(
        _ proven: ProvenPassword?, _ operation: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await finishing.perform { [self] in
            do {
                return try await operation()
            } catch {
                // A password that has changed since counts as a wrong one.
                if let proven, (error as? AccountError)?.code != .wrongCredentials { await release(proven.attempt) }
                throw error
            }
        }
    }

    /// Checks a password, and counts it if it is wrong.
    ///
    /// The steps and the time are the same for every address, with a password or without.
    func prove(_ password: Password, of form: EmailForm, from caller: Caller) async throws -> ProvenPassword {
        let attempt = PasswordTry(
            form: form, account: forms.failures(of: form),
            network: forms.failures(from: caller.network), at: now)
        let tries = try await store.reserve(attempt)
        let found: EmailIdentity?
        let hash: StoredPasswordHash?
        let isRight: Bool
        do {
            found = try await store.emailIdentity(of: form)
            hash = found.flatMap(usableHash)
            isRight = try await hasher.check(password, hash, of: caller.network)
        } catch {
            finishing.begin { [self] in await release(attempt) }
            throw error
        }
        guard isRight, let found, let hash, let stored = found.password else {
            let version = found?.password?.version
            try await finishing.perform { [self] in try await count(failure: attempt, tries, version, from: caller) }
            throw AccountError.wrongCredentials
        }
        return ProvenPassword(
            identity: found, form: form, version: stored.version,
            rehashed: await rehash(password, hash, of: found.id, from: caller), attempt: attempt, at: now)
    }

    /// The hash to check; nil where a dummy is checked, because there is none, or it is off, or the key ring lacks the
    /// key.
    private func usableHash(of identity: EmailIdentity) -> StoredPasswordHash? {
        guard let stored = identity.password, !stored.isOff else { return nil }
        do {
            let text = try seal.open(stored.sealed, row: identity.id.rawValue)
            return try StoredPasswordHash(text: String(decoding: text, as: UTF8.self))
        } catch {
            // A guesser learns no more than about an unknown address.
            // Once, because strangers decide how often this is tried.
            logger.log(
                level: unopenedSeal.isNow() ? .error : .debug, "A password can't be checked.",
                metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Makes a hash with the present cost in place of one with a lower cost, or of another service. If it fails, a later
    /// sign-in makes it.
    private func rehash(
        _ password: Password, _ hash: StoredPasswordHash, of identity: IdentityID, from caller: Caller
    ) async -> [UInt8]? {
        // Otherwise bytes that nobody has checked would become part of the password.
        guard hash.needsRehash(for: cost), hash.comparesAll(of: password) else { return nil }
        do {
            let hash = try await hasher.hash(password, of: caller.network)
            return try seal.seal(Array(hash.text.utf8), row: identity.rawValue)
        } catch {
            logger.info("A password keeps its hash of a lower cost.", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private func release(_ attempt: PasswordTry) async {
        do {
            try await store.release(attempt)
        } catch {
            logger.warning("A password that was not checked stays counted.", metadata: ["error": "\(error)"])
        }
    }

    /// - Parameter version: that of the password that was tried; nil where there is none.
    private func count(
        failure attempt: PasswordTry, _ tries: Int64, _ version: Int64?, from caller: Caller
    ) async throws {
        try await store.countFailure(of: attempt.network, at: attempt.at)
        guard tries >= PasswordFailureRules.maximumForAccount else { return }
        // After the answer, which would take longer where there is an account.
        finishing.begin { [self] in
            guard let version else { return }
            await turnOff(attempt, version, from: caller)
        }
    }

    private func turnOff(_ attempt: PasswordTry, _ version: Int64, from caller: Caller) async {
        let mail = PasswordMail(.passwordOff, writer: mail, at: attempt.at, languages: [])
        do {
            guard let account = try await store.turnPasswordOff(attempt, version, mail: mail, from: caller)
            else { return }
            logger.warning("A password is off after too many wrong ones.", metadata: ["account": "\(account)"])
            sessions.bell.notify(account)
        } catch {
            // The next wrong one tries again.
            logger.error("A password could not be turned off.", metadata: ["error": "\(error)"])
        }
    }

    // MARK: In a session

    /// Changes the password of the session's person, or sets their first one.
    ///
    /// A change of a password may come twice, from a second click or after a lost answer. The second one succeeds and changes
    /// nothing, if the same session has made the first one in the last ten minutes.
    ///
    /// Throws ``AccountError/Code/notByPassword`` where the session is Apple's, or the current password is given and
    /// there is none; ``AccountError/Code/requestInvalid`` for the field `currentPassword` where it is missing;
    /// ``AccountError/Code/requiresRecentLogin`` for a first password without a sign-in of the last five minutes;
    /// ``AccountError/Code/passwordRefused``; and like ``signIn(email:password:client:from:)`` for the current one.
    /// - Parameters:
    ///   - current: nil only for a person who has no password.
    ///   - endingOthers: whether all other sessions of the account end.
    public func change(
        current: Password?, to new: Password, endingOthers: Bool, in session: StoredSession, from caller: Caller
    ) async throws {
        try rules.check(new, name: session.account.name, email: session.account.email)
        let (identity, form) = try await emailIdentity(of: session)
        do {
            var proven: ProvenPassword?
            switch (current, identity.password) {
            case (nil, nil): try session.session.requireRecentSignIn(at: now)
            case (nil, _?):
                throw AccountError(.requestInvalid, "the current password is needed", field: "currentPassword")
            case (_?, nil): throw AccountError.notByPassword
            case (let current?, _?): proven = try await prove(current, of: form, from: caller)
            }
            let hash = try await use(proven) { [hasher] in try await hasher.hash(new, of: caller.network) }
            let sealed = try seal.seal(Array(hash.text.utf8), row: identity.id.rawValue)
            try await write(sealed, proven, of: identity, form, endingOthers: endingOthers, in: session, from: caller)
        } catch let error as AccountError where error.code == .wrongCredentials || error.field == "currentPassword" {
            guard current?.text != new.text, let proven = try await proveRepeat(of: new, in: session, from: caller)
            else { throw error }
            try await write(
                nil, proven, of: proven.identity, form, endingOthers: endingOthers, in: session, from: caller)
        }
    }

    /// The one transaction of a change.
    /// - Parameter sealed: the new password; nil where the account has it already.
    private func write(
        _ sealed: [UInt8]?, _ proven: ProvenPassword?, of identity: EmailIdentity, _ form: EmailForm,
        endingOthers: Bool, in session: StoredSession, from caller: Caller
    ) async throws {
        let moment = now
        let change = PasswordChangeRecord(
            session: session.session.id, proven: proven, sealed: sealed, identity: identity.id,
            personHash: form.personHash,
            endsOthers: endingOthers, formHashes: forms.links(of: form), caller: caller, at: moment,
            mail: PasswordMail(.passwordChanged, writer: mail, at: moment, languages: caller.languages))
        try await use(proven) { [self] in
            try await store.changePassword(change)
            sessions.bell.notify(session.account.id)
        }
    }

    /// Checks the new password of a change whose current password is wrong, in case this session has made the same
    /// change before.
    ///
    /// Only the session that has set the account's password gets this check, so nobody else tries two passwords with one
    /// request. A wrong password counts here, too.
    /// - Returns: nil where it is no repeat.
    private func proveRepeat(
        of new: Password, in session: StoredSession, from caller: Caller
    ) async throws -> ProvenPassword? {
        let (identity, form) = try await emailIdentity(of: session)
        guard let setAt = identity.password?.setAt, now - setAt < Self.repeatLimit,
            try await store.wasPasswordSet(of: identity, in: session.session.id, at: setAt)
        else { return nil }
        do {
            return try await prove(new, of: form, from: caller)
        } catch let error as AccountError where error.code == .wrongCredentials || error.code == .rateLimited {
            return nil
        }
    }

    /// Renews the freshness of an app's session by the password of its person.
    ///
    /// Throws ``AccountError/Code/notByPassword`` for a session that is Apple's or has no password, and like
    /// ``signIn(email:password:client:from:)``.
    public func reauthenticate(
        _ session: StoredSession, password: Password, from caller: Caller
    ) async throws -> Reauthenticated {
        let proven = try await prove(password, of: session, from: caller)
        return try await use(proven) { [self] in
            let renewed = try await store.reauthenticate(
                session.session.id, with: proven, successor: nil, from: caller)
            return Reauthenticated(
                authenticatedAt: renewed.authenticatedAt,
                accessToken: try sessions.accessToken(for: renewed, generation: session.generation),
                expiresIn: SessionLimits.accessToken)
        }
    }

    /// Renews the freshness of a browser's session by the password of its person: the browser gets a new session, and
    /// its old one ends.
    ///
    /// Throws like ``reauthenticate(_:password:from:)``.
    public func reauthenticate(
        _ session: StoredSession, password: Password, browser: BrowserSecret?, returnPath: ReturnPath,
        from caller: Caller
    ) async throws -> WebSignIn {
        let proven = try await prove(password, of: session, from: caller)
        return try await use(proven) { [self] in
            var (successor, secret) = sessions.prepare(
                .browser, clientID: session.session.clientID, browserHash: browser?.hash, authenticatedAt: proven.at,
                at: proven.at)
            successor.deviceName = session.session.deviceName
            _ = try await store.reauthenticate(
                session.session.id, with: proven, successor: successor, from: caller)
            return sessions.answer(toProofBy: session.account, secret: secret, returnPath: returnPath)
        }
    }

    private func prove(
        _ password: Password, of session: StoredSession, from caller: Caller
    ) async throws -> ProvenPassword {
        let (identity, form) = try await emailIdentity(of: session)
        guard identity.password != nil else { throw AccountError.notByPassword }
        return try await prove(password, of: form, from: caller)
    }

    private func emailIdentity(of session: StoredSession) async throws -> (EmailIdentity, EmailForm) {
        let identity = try await sessions.identity(of: session.session)
        guard identity.provider == .email else { throw AccountError.notByPassword }
        let form = EmailForm(subject: identity.subject)
        guard let found = try await store.emailIdentity(of: form), found.id == identity.id else {
            // An upgrade may have come in between.
            guard try await sessions.identity(of: session.session).provider == .email else {
                throw AccountError.notByPassword
            }
            throw AccountError(.sessionEnded, "the identity of this session is gone")
        }
        return (found, form)
    }
}

/// Tells the first of several calls from the later ones.
final class FirstTime: Sendable {
    private let hasBeen = Lock(false)

    func isNow() -> Bool {
        hasBeen.withLock { hasBeen in
            defer { hasBeen = true }
            return !hasBeen
        }
    }
}

extension Caller {
    /// The network by which a caller is counted. Callers whose address is unknown count as one.
    var network: CountedNetwork { CountedNetwork(of: address ?? "unknown") }
}

extension AccountError {
    static var wrongCredentials: Self {
        AccountError(.wrongCredentials, "the address or the password is wrong")
    }

    static var notByPassword: Self {
        AccountError(.notByPassword, "nobody signs in to this account with a password")
    }
}
