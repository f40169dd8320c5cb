import AccountAPI
import AccountConnection

extension AccountClient {
    /// Whether somebody is signed in, now and whenever that changes. The present state comes first.
    ///
    /// Any number of consumers may follow. A slow one misses states that were overtaken, never the latest. The
    /// sequence ends with this client.
    public var session: SessionStates { SessionStates(session: calls.session) }

    /// The account that is signed in, as this device knows it. Never asks the account service.
    ///
    /// It is nil when nobody is signed in, and when storage cannot be read. To find out at the start of an app whether
    /// somebody is signed in, call ``existingAccount()``; for the account as the service has it now, call
    /// ``reloadAccount()``.
    public var account: Account? {
        get async { await calls.session.state().account }
    }

    /// Finds out whether somebody is signed in already, without showing anything. Apps call it at their start.
    ///
    /// It asks the account service, and another process with the same storage may have signed somebody in. When the
    /// service does not answer within ten seconds, the account is the last one known, and its ``Account/isConfirmed``
    /// is false: being offline signs nobody out.
    ///
    /// Throws `storage`, `cancelled`, `refused`, `invalidResponse`.
    /// - Returns: nil when nobody is signed in, or the account service has ended the session.
    public func existingAccount() async throws(AccountClientError) -> Account? {
        try await calls.existingAccount()
    }

    /// Asks the account service for the account that is signed in, and returns it as the service has it now.
    ///
    /// Unlike ``existingAccount()`` it throws when nobody is signed in or the service does not answer: as
    /// ``accessToken()`` does, and `refused` and `invalidResponse`.
    @discardableResult
    public func reloadAccount() async throws(AccountClientError) -> Account {
        try await calls.reloadAccount()
    }
}

extension AccountCalls {
    /// The time after which ``AccountClient/existingAccount()`` returns the last known account, so that an app can start.
    private static let timeToLook = Duration.seconds(10)

    func existingAccount() async throws(AccountClientError) -> Account? {
        guard try await session.ask(.rereadIfSignedOut).session != nil else { return nil }
        do throws(AccountClientError) {
            return try await environment.withDeadline(Self.timeToLook) { () async throws(AccountClientError) in
                try await reloadAccount()
            }
        } catch {
            switch error.code {
            case .notSignedIn, .sessionEnded: return nil
            case .backendUnavailable: return await session.snapshot.state.account
            default: throw error
            }
        }
    }

    func reloadAccount() async throws(AccountClientError) -> Account {
        while true {
            let answered = try await answer(doing: "asking for the account") { token throws(ServiceError) in
                try await connection.send("GET", "/v1/account", accessToken: token, as: AccountAnswer.self).account
            }
            let now = try await session.ask(
                .accountTold(answered.value, answered.epoch, answered.accountVersion))
            // The machine drops this answer if another one came meanwhile, because either can be the newer one.
            let isOvertaken = now.epoch == answered.epoch && now.session?.account != answered.value
            if !isOvertaken { return try account(of: now) }
        }
    }

    /// Whether the person signs in with Apple. They may have gone over to Apple on another device, so the service is
    /// asked if this device doesn't know that they do.
    func isByApple() async throws(AccountClientError) -> Bool {
        let now = try await session.ask(.read)
        guard let stored = now.session else { throw now.notSignedInError }
        guard !stored.isByApple else { return true }
        return try await reloadAccount().waysIn?.apple == true
    }

    /// Whether an Apple Account opened the session, so that its person can prove at Apple that they are there. An account
    /// with several ways in doesn't say which of them did, so the service is asked for them then.
    func isOpenedByApple() async throws(AccountClientError) -> Bool {
        guard try await isByApple() else { return false }
        let now = try await session.ask(.read)
        guard let ways = now.session?.account.waysIn, ways.email != nil || !ways.providers.isEmpty else { return true }
        let current = try await links().first { $0.isCurrent }
        return current.map { $0.provider == .apple } ?? true
    }

    /// Asks for the account after an event or an answer that says that it has changed.
    func followAccountChange() async {
        do {
            _ = try await reloadAccount()
        } catch {
            // The next event asks again, or the app does.
        }
    }

    /// Takes the account over as a change of the person's has left it.
    /// - Parameter answered: the answer to the change.
    func take<Value>(
        _ account: AccountBody, changedBy answered: Answered<Value>
    ) async throws(AccountClientError) -> Account {
        try await reviewed(try await note(.accountChanged(account, answered.epoch)), after: answered)
    }

    /// Asks for the account again if another answer about it came before the answer to a change, because either can be the
    /// newer one.
    /// - Parameter now: the reply to the change.
    func reviewed<Value>(
        _ now: SessionSnapshot, after answered: Answered<Value>
    ) async throws(AccountClientError) -> Account {
        guard !now.accountVersion.isNext(after: answered.accountVersion) else { return try account(of: now) }
        await followAccountChange()
        return try account(of: await session.snapshot)
    }

    private func account(of now: SessionSnapshot) throws(AccountClientError) -> Account {
        guard let account = now.state.account else { throw now.notSignedInError }
        return account
    }
}
