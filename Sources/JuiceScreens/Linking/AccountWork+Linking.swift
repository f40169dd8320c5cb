import AccountAPI
import AccountClient

/// Lists and changes the ways in to the account.
extension AccountWork {
    func listWaysIn() {
        Task { [client, events, providers] in
            do throws(AccountClientError) {
                events.yield(.waysInListed(try await client.links().waysIn(namedBy: providers)))
            } catch {
                events.yield(.waysInFailed(LoginNotice(error)))
            }
        }
    }

    /// - Parameter password: proves that the person is there; nil if they have not been asked for it.
    mutating func change(_ change: WaysInChange, password: TypedText?) {
        let ask = prepareQuestions()
        changingWaysIn = Task { [client, events, providers] in
            do throws(AccountClientError) {
                if let password { try await client.reauthenticate(password: password.text) }
                let merge: MergePrompt = { plan in
                    await ask(.mergePlanned(MergeReading(plan, namedBy: providers)))
                }
                let consent: ConsentPrompt = { question in await ask(.consentAsked(ConsentReading(question))) }
                let event = try await Self.proving(client) { () throws(AccountClientError) in
                    try await Self.perform(change, client, providers, confirming: merge, asking: consent)
                }
                events.yield(event)
            } catch let error where error.code == .cancelled {
                events.yield(.waysInFailed(.notChanged))
            } catch let error where error.code == .refused(.requiresRecentLogin) && password == nil {
                events.yield(.proofNeeded(change))
            } catch {
                events.yield(error.signInHandle.map { .conflictFound($0) } ?? .failed(error, Event.waysInFailed))
            }
        }
    }

    /// Gives the change up. An event says when it has ended.
    func cancelWaysIn() {
        changingWaysIn?.cancel()
    }

    /// Makes a change.
    /// - Returns: the event that the change comes to.
    private static func perform(
        _ change: WaysInChange, _ client: AccountClient, _ providers: [OfferedProvider],
        confirming merge: @escaping MergePrompt, asking consent: @escaping ConsentPrompt
    ) async throws(AccountClientError) -> Event {
        switch change {
        case .addApple:
            return .waysInChanged(try await client.link(consent: consent).waysIn(namedBy: providers), .linked)
        case .addAt(let provider):
            let provider = AccountIdentity.Provider(rawValue: provider.id)
            let links = try await client.link(with: provider, consent: consent)
            return .waysInChanged(links.waysIn(namedBy: providers), .linked)
        case .addAddress(let email, let password):
            // The address is a way in only when the person opens the link.
            let links = try await client.links()
            try await client.link(email: email, password: password.text, consent: consent)
            return .waysInChanged(links.waysIn(namedBy: providers), .linkSent)
        case .finishAddress(let link):
            return .waysInChanged(try await client.finishLink(link).waysIn(namedBy: providers), .linked)
        case .remove(let id):
            let links = try await client.links()
            guard let identity = links.first(where: { $0.id == id }) else {
                return .waysInChanged(links.waysIn(namedBy: providers), .unlinked(removal: nil))
            }
            let outcome = try await client.unlink(identity)
            let removal = outcome.manualRemoval?.words
            guard !outcome.isSignedOut else { return .signedOut(.signedOutByUnlinking(removal: removal)) }
            return .waysInChanged(outcome.identities.waysIn(namedBy: providers), .unlinked(removal: removal))
        case .merge(let handle):
            let former = try await client.links()
            try await client.mergeAccounts(with: handle, confirming: merge, consent: consent)
            // The accounts are one, also if the new list doesn't come.
            let links = (try? await client.links()) ?? former
            return .waysInChanged(links.waysIn(namedBy: providers), .merged)
        case .goOver(let handle): return .signedIn(Profile(try await client.signIn(with: handle)))
        }
    }
}

extension AccountWork {
    /// Makes a call, and once more after a proof of who the person is, if their sign-in is too old.
    static func proving<Value: Sendable>(
        _ client: AccountClient, _ call: () async throws(AccountClientError) -> Value
    ) async throws(AccountClientError) -> Value {
        do throws(AccountClientError) {
            return try await call()
        } catch let error where error.code == .refused(.requiresRecentLogin) {
            try await proveAgain(client, error)
            return try await call()
        }
    }

    /// Lets the person prove who they are, as they signed in: with Apple, or at the provider that opened the session.
    /// - Parameter error: thrown for a person who signs in by email address.
    private static func proveAgain(
        _ client: AccountClient, _ error: AccountClientError
    ) async throws(AccountClientError) {
        let current = try await client.links().first { $0.isCurrent }?.provider ?? .apple
        switch current {
        case .email: throw error
        case .apple: try await client.reauthenticate()
        default: try await client.reauthenticate(with: current)
        }
    }
}

extension LoginNotice {
    static let linked = LoginNotice(kind: .note, text: "You have one more way in to your account.")
    static let merged = LoginNotice(kind: .note, text: "You have one account now, with these ways in.")
    static let linkSent = LoginNotice(
        kind: .note, text: "A mail is on its way. Choose Enter a Link, and type it within fifteen minutes.")
    static let proofByLinkNeeded = LoginNotice(
        kind: .note,
        text: "To change your ways in, sign out, log in by a new link, and change them within five minutes.")

    /// - Parameter removal: what the person has to do at Apple themselves; nil when there is nothing.
    static func unlinked(removal: String?) -> LoginNotice {
        LoginNotice(kind: .note, text: ["The way in is removed.", removal].compactMap { $0 }.joined(separator: " "))
    }

    /// - Parameter removal: what the person has to do at Apple themselves; nil when there is nothing.
    static func signedOutByUnlinking(removal: String?) -> LoginNotice {
        LoginNotice(
            kind: .note,
            text: ["The way in is removed. Sign in with another one.", removal].compactMap { $0 }
                .joined(separator: " "))
    }
}

extension [AccountIdentity] {
    /// Returns the ways in for the list.
    /// - Parameter providers: the providers that Juice offers, with the names that people know.
    fileprivate func waysIn(namedBy providers: [OfferedProvider]) -> [WayIn] {
        map { identity in
            let isOfProvider = ![.apple, .email].contains(identity.provider)
            return WayIn(
                id: identity.id, isApple: identity.provider == .apple,
                provider: isOfProvider ? providers.name(of: identity.provider) : nil, address: identity.address,
                isPrivateEmail: identity.isPrivateEmail, hasPassword: identity.hasPassword,
                lastSignInAt: identity.lastSignInAt, isCurrent: identity.isCurrent)
        }
    }
}
