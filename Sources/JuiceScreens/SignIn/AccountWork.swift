import AccountAPI
package import AccountClient

/// Carries out the model's effects on an account: calls ``AccountClient``, and follows two of its sequences.
package struct AccountWork: Sendable {
    let client: AccountClient
    /// Takes the events of the calls' results.
    package let events: AsyncStream<Event>.Continuation
    /// The providers beside Apple that Juice offers. They have the names that people know.
    let providers: [OfferedProvider]
    private var signingIn: Task<Void, Never>?
    private var deleting: Task<Void, Never>?
    var upgrading: Task<Void, Never>?
    var changingWaysIn: Task<Void, Never>?
    /// The password that the person has typed last, until they say whether this device keeps it.
    var typed: SavedPassword?
    /// Takes the person's answers to the questions of the latest call that may ask: for consent, or about a merge.
    private var answers: AsyncStream<Bool>.Continuation?

    package init(
        client: AccountClient, events: AsyncStream<Event>.Continuation, providers: [OfferedProvider] = []
    ) {
        self.client = client
        self.events = events
        self.providers = providers
    }

    /// Prepares the questions of a call that may ask the person.
    /// - Returns: shows a question, which is an event, and waits for the answer.
    mutating func prepareQuestions() -> @Sendable (Event) async -> Bool {
        let (answers, answer) = AsyncStream<Bool>.makeStream()
        self.answers = answer
        return { [events] question in
            events.yield(question)
            return await answers.first { _ in true } ?? false
        }
    }

    func answerQuestion(_ agrees: Bool) {
        answers?.yield(agrees)
    }

    func findAccount() {
        Task { [client, events] in
            do {
                let account = try await client.existingAccount()
                let state = await client.session.first { _ in true }
                if account == nil, case .signedOut(let reason)? = state, let notice = LoginNotice(reason) {
                    events.yield(.lookFailed(notice))
                } else if account == nil, let saved = try await client.savedPassword() {
                    events.yield(.passwordFound(email: saved.email))
                } else {
                    events.yield(.accountFound(account.map { Profile($0) }))
                }
            } catch {
                events.yield(.lookFailed(LoginNotice(error, canLookAgain: true)))
            }
        }
    }

    /// - Parameter provider: another provider than Apple; nil for Apple.
    mutating func signIn(_ provider: OfferedProvider?) {
        signingIn = Task { [client, events] in
            do {
                let account =
                    if let provider {
                        try await client.signIn(with: AccountIdentity.Provider(rawValue: provider.id))
                    } else {
                        try await client.signIn(scopes: [.fullName, .email])
                    }
                events.yield(.signedIn(Profile(account)))
            } catch {
                events.yield(.signInEnded(LoginNotice(error)))
            }
        }
    }

    /// Cancels the sign-in. An event says when it has ended.
    func cancelSignIn() {
        signingIn?.cancel()
    }

    func signOut() {
        Task { [client, events] in
            do {
                try await client.signOut()
                events.yield(.signedOut(nil))
            } catch {
                events.yield(.signedOut(LoginNotice(error)))
            }
        }
    }

    /// Follows the account of the person who is signed in. Runs until it is cancelled.
    package func followSession() async {
        var wasSignedIn = false
        for await state in client.session {
            switch state {
            case .signedIn(let account):
                if wasSignedIn { events.yield(.accountChanged(Profile(account))) }
                wasSignedIn = true
            case .signedOut(let reason):
                if wasSignedIn { events.yield(.sessionEnded(LoginNotice(reason) ?? .sessionEnded)) }
                wasSignedIn = false
            }
        }
    }

    /// Follows what happens to the account elsewhere. It runs until it is cancelled.
    package func followEvents() async {
        for await state in client.session where state.account != nil {
            // If the same person has signed in again, `client.session` gives no state for the new session. So this loop follows
            // the events of that session, too.
            while !Task.isCancelled, await client.account != nil {
                do {
                    for try await event in client.events() { await take(event) }
                } catch {
                    // The pause spares a proxy that answers in place of the account service.
                    if await client.account != nil { try? await Task.sleep(for: Self.pauseToFollow) }
                }
            }
        }
    }

    private static let pauseToFollow = Duration.seconds(300)

    private func take(_ event: AccountEvent) async {
        if let text = event.asSentence { events.yield(.remarked(text)) }
        if event.kind == .appleAccessRevoked { askAppleState() }
        // If that fails, Juice shows what it knows.
        if event.kind == .emailForwardingChanged { _ = try? await client.reloadAccount() }
    }

    // MARK: The account

    func askAppleState() {
        Task { [client, events] in
            do {
                switch try await client.credentialState() {
                case .authorized: events.yield(.appleStateTold(.authorized))
                case .transferred: events.yield(.appleStateTold(.transferred))
                case .revoked: events.yield(.appleStateTold(.ended))
                // If another provider opened the session, the service doesn't know the state of the Apple Account.
                case .notFound: events.yield(.appleStateTold(nil))
                @unknown default: break
                }
            } catch {
                events.yield(.appleStateTold(nil))
            }
        }
    }

    func listSessions() {
        askSessions { _ in }
    }

    func endSession(_ id: String) {
        askSessions { client in
            for session in try await client.sessions() where session.id == id { try await client.endSession(session) }
        }
    }

    func endOtherSessions() {
        askSessions { client in try await client.endOtherSessions() }
    }

    /// Changes the sessions, then lists those that are left.
    private func askSessions(_ change: @escaping @Sendable (AccountClient) async throws -> Void) {
        Task { [client, events] in
            do {
                try await change(client)
                events.yield(.sessionsListed(try await client.sessions().map { SessionRow($0) }))
            } catch {
                events.yield(.sessionsFailed(LoginNotice(error)))
            }
        }
    }

    mutating func deleteAccount(_ password: TypedText?) {
        deleting = Task { [client, events] in
            do throws(AccountClientError) {
                if let password { try await client.reauthenticate(password: password.text) }
                let deletion = try await Self.proving(client) { () throws(AccountClientError) in
                    try await client.deleteAccount()
                }
                let removal = deletion.manualRemoval?.words
                events.yield(.accountDeleted(deletion.hasApple ? .deleted(removal: removal) : .deletedWithoutApple))
                if deletion.hasApple, removal == nil { Self.tell(events, whenDone: deletion, client) }
            } catch let error where error.code == .cancelled {
                events.yield(await Self.endOfCancelledDeletion(error, client))
            } catch let error where error.code == .refused(.requiresRecentLogin) && password == nil {
                events.yield(.passwordNeeded)
            } catch {
                events.yield(.failed(error, Event.deletionEnded))
            }
        }
    }

    /// The event after the person has given a deletion up. If a request was under way then, the account service carries it
    /// out, perhaps later, because it waits for Apple. So it is asked whether the account is still there.
    private static func endOfCancelledDeletion(_ error: AccountClientError, _ client: AccountClient) async -> Event {
        guard error.cause is ServiceError else { return .deletionEnded(.notDeleted) }
        // In a task of its own, since this one is cancelled.
        return await Task { () -> Event in
            do throws(AccountClientError) {
                try await client.reloadAccount()
                return .deletionEnded(.mayStillBeDeleted)
            } catch let error where [.sessionEnded, .notSignedIn].contains(error.code) {
                return .accountDeleted(.deletedAfterAll)
            } catch {
                return .deletionEnded(LoginNotice(error))
            }
        }.value
    }

    private static func tell(
        _ events: AsyncStream<Event>.Continuation, whenDone deletion: AccountDeletion, _ client: AccountClient
    ) {
        Task {
            do {
                for try await state in client.progress(of: deletion) where state.status == .done {
                    events.yield(.remarked("Apple has ended the authorization."))
                }
            } catch {
                // The account is deleted, and the service goes on telling Apple without Juice.
            }
        }
    }

    /// Cancels the deletion. An event says when it has ended.
    func cancelDeletion() {
        deleting?.cancel()
    }
}

extension Event {
    /// Returns the event for work that has failed. If it failed because the session has ended, that is ``signedOut(_:)``, after
    /// which the login says why.
    /// - Parameter event: the event of any other failure.
    static func failed(_ error: AccountClientError, _ event: (LoginNotice) -> Event) -> Event {
        let notice = LoginNotice(error)
        return [.sessionEnded, .notSignedIn].contains(error.code) ? .signedOut(notice) : event(notice)
    }
}

extension AccountEvent {
    /// A sentence for the person; nil for an event that Juice shows in another way.
    fileprivate var asSentence: String? {
        switch kind {
        case .signedIn: "Somebody has signed in to this account elsewhere."
        case .passwordOff: "Your password was turned off, because somebody guessed at it too often. Set a new one."
        case .emailForwardingChanged:
            reason == "disabled" ? "Apple forwards no more mail to you." : "Apple forwards mail to you again."
        default: nil
        }
    }
}

extension SessionRow {
    fileprivate init(_ session: AccountSession) {
        self.init(
            id: session.id, isCurrent: session.isCurrent, isBrowser: session.isBrowser, deviceName: session.deviceName,
            signInAddress: session.signInAddress, lastUsedAt: session.lastUsedAt)
    }
}

extension Profile {
    init(_ account: Account) {
        self.init(
            userIdentifier: account.user ?? account.id, givenName: account.name?.givenName,
            familyName: account.name?.familyName,
            email: account.email, isPrivateEmail: account.isPrivateEmail, contactEmail: account.contactEmail,
            pendingContactEmail: account.pendingContactEmail, phone: account.phone,
            signsInByEmail: account.user == nil && account.waysIn.map { !$0.apple && $0.email != nil } ?? true,
            hasAppleAccount: account.user != nil || account.waysIn?.apple ?? true,
            hasPassword: account.waysIn?.hasPassword == true,
            isConfirmed: account.isConfirmed)
    }
}
