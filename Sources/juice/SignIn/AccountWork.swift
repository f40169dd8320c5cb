import AccountClient

/// Does for the model what it asks of an account: three calls of ``AccountClient``, and one sequence to follow.
struct AccountWork {
    let client: AccountClient
    let events: AsyncStream<Event>.Continuation
    private var signingIn: Task<Void, Never>?

    init(client: AccountClient, events: AsyncStream<Event>.Continuation) {
        self.client = client
        self.events = events
    }

    func findAccount() {
        Task { [client, events] in
            do {
                let account = try await client.existingAccount()
                if account == nil, case .signedOut(.ended) = await client.session.first(where: { _ in true }) {
                    events.yield(.lookFailed(.sessionEnded))
                } else {
                    events.yield(.accountFound(account.map { Profile($0) }))
                }
            } catch {
                events.yield(.lookFailed(Notice(error, canLookAgain: true)))
            }
        }
    }

    mutating func signIn() {
        signingIn = Task { [client, events] in
            do {
                let account = try await client.signIn(scopes: [.fullName, .email])
                events.yield(.signedIn(Profile(account)))
            } catch {
                events.yield(.signInEnded(Notice(error)))
            }
        }
    }

    /// The sign-in ends as every other: with an event.
    func cancelSignIn() {
        signingIn?.cancel()
    }

    func signOut() {
        Task { [client, events] in
            do {
                try await client.signOut()
                events.yield(.signedOut(nil))
            } catch {
                events.yield(.signedOut(Notice(error)))
            }
        }
    }

    /// Says what becomes of the account of somebody who is signed in, whoever changes it. It runs until it is
    /// cancelled.
    func followSession() async {
        var wasSignedIn = false
        for await state in client.session {
            if wasSignedIn { events.yield(state.account.map { .accountChanged(Profile($0)) } ?? .sessionEnded) }
            wasSignedIn = state.account != nil
        }
    }
}

extension Profile {
    init(_ account: Account) {
        self.init(
            userIdentifier: account.user, givenName: account.name?.givenName, familyName: account.name?.familyName,
            email: account.email, isPrivateEmail: account.isPrivateEmail, isConfirmed: account.isConfirmed)
    }
}
