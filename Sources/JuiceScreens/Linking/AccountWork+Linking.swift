import AccountAPI
import AccountClient

/// Lists and changes the ways in to the account.
extension AccountWork {
    func listWaysIn() {
        Task { [client, events] in
            do throws(AccountClientError) {
                events.yield(.waysInListed(try await client.links().map { WayIn($0) }))
            } catch {
                events.yield(.waysInFailed(LoginNotice(error)))
            }
        }
    }

    /// - Parameter password: proves that the person is there; nil if they have not been asked for it.
    mutating func change(_ change: WaysInChange, password: TypedText?) {
        let (answers, answer) = AsyncStream<Bool>.makeStream()
        consentAnswers = answer
        changingWaysIn = Task { [client, events] in
            do throws(AccountClientError) {
                if let password { try await client.reauthenticate(password: password.text) }
                let event = try await Self.performProven(change, client) { plan in
                    events.yield(.mergePlanned(MergeReading(plan)))
                    return await answers.first { _ in true } ?? false
                } asking: { question in
                    events.yield(.consentAsked(ConsentReading(question)))
                    return await answers.first { _ in true } ?? false
                }
                events.yield(event)
            } catch let error where error.code == .cancelled {
                events.yield(.waysInFailed(.notChanged))
            } catch let error where error.code == .refused(.requiresRecentLogin) && password == nil {
                events.yield(.proofNeeded(change))
            } catch {
                events.yield(error.signInHandle.map { .conflictFound($0) } ?? .waysInFailed(LoginNotice(error)))
            }
        }
    }

    /// Gives the change up. An event says when it has ended.
    func cancelWaysIn() {
        changingWaysIn?.cancel()
    }

    /// Makes a change, and once more after a proof of who the person is, if their sign-in is too old.
    /// - Returns: the event that the change comes to.
    private static func performProven(
        _ change: WaysInChange, _ client: AccountClient, confirming merge: @escaping MergePrompt,
        asking consent: @escaping ConsentPrompt
    ) async throws(AccountClientError) -> Event {
        do throws(AccountClientError) {
            return try await perform(change, client, confirming: merge, asking: consent)
        } catch let error where error.code == .refused(.requiresRecentLogin) {
            try await proveAgain(client, error)
            return try await perform(change, client, confirming: merge, asking: consent)
        }
    }

    private static func perform(
        _ change: WaysInChange, _ client: AccountClient, confirming merge: @escaping MergePrompt,
        asking consent: @escaping ConsentPrompt
    ) async throws(AccountClientError) -> Event {
        switch change {
        case .addApple: return .waysInChanged(try await client.link(consent: consent).map { WayIn($0) }, .linked)
        case .addAt(let provider):
            let provider = AccountIdentity.Provider(rawValue: provider.id)
            return .waysInChanged(
                try await client.link(with: provider, consent: consent).map { WayIn($0) }, .linked)
        case .addAddress(let email, let password):
            try await client.link(email: email, password: password.text, consent: consent)
            return .waysInChanged(try await client.links().map { WayIn($0) }, .linkSent)
        case .finishAddress(let link):
            return .waysInChanged(try await client.finishLink(link).map { WayIn($0) }, .linked)
        case .remove(let id):
            let links = try await client.links()
            guard let identity = links.first(where: { $0.id == id }) else {
                return .waysInChanged(links.map { WayIn($0) }, .unlinked(removal: nil))
            }
            let outcome = try await client.unlink(identity)
            let removal = outcome.manualRemoval.map { "\($0.message) \($0.url.absoluteString)" }
            guard !outcome.isSignedOut else { return .signedOut(.signedOutByUnlinking(removal: removal)) }
            return .waysInChanged(outcome.identities.map { WayIn($0) }, .unlinked(removal: removal))
        case .merge(let handle):
            try await client.mergeAccounts(with: handle, confirming: merge, consent: consent)
            return .waysInChanged(try await client.links().map { WayIn($0) }, .merged)
        case .goOver(let handle): return .signedIn(Profile(try await client.signIn(with: handle)))
        }
    }
}

extension AccountWork {
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

extension AccountIdentity.Provider {
    /// The id with a capital letter.
    var displayName: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension WayIn {
    fileprivate init(_ identity: AccountIdentity) {
        self.init(
            id: identity.id, isApple: identity.provider == .apple,
            provider: [.apple, .email].contains(identity.provider) ? nil : identity.provider.displayName,
            address: identity.address,
            isPrivateEmail: identity.isPrivateEmail, hasPassword: identity.hasPassword,
            lastSignInAt: identity.lastSignInAt, isCurrent: identity.isCurrent)
    }
}
