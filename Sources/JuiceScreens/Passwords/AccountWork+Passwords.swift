import AccountAPI
import AccountClient

/// Signs in by password and by links from mails, and upgrades to Apple.
extension AccountWork {
    mutating func logIn(_ password: SavedPassword) {
        typed = password
        run { client throws(AccountClientError) in
            let account = try await client.signIn(email: password.email, password: password.password)
            return await Self.signedIn(account, with: password, client)
        }
    }

    /// Signs in with the password that this device keeps, and forgets it if it is wrong.
    func logInWithSavedPassword() {
        run { client throws(AccountClientError) in
            guard let saved = try await client.savedPassword() else { return .signInEnded(.noSavedPassword) }
            do throws(AccountClientError) {
                return .signedIn(Profile(try await client.signIn(email: saved.email, password: saved.password)))
            } catch let error where error.code == .refused(.wrongCredentials) {
                try await client.removeSavedPassword()
                return .signInEnded(.savedPasswordWrong)
            }
        }
    }

    func savePassword() {
        guard let typed else { return }
        Task { [client, events] in
            do throws(AccountClientError) {
                try await client.savePassword(typed)
                events.yield(.remarked("The password is saved."))
            } catch {
                events.yield(.remarked(LoginNotice(error).text))
            }
        }
    }

    mutating func createAccount(_ password: SavedPassword) {
        typed = password
        run { client throws(AccountClientError) in
            try await client.signUp(email: password.email, password: password.password)
            return .signInEnded(.mailSent)
        }
    }

    func resetPassword(_ email: String) {
        run { client throws(AccountClientError) in
            try await client.resetPassword(email: email)
            return .signInEnded(.mailSent)
        }
    }

    func requestLink(_ email: String) {
        run { client throws(AccountClientError) in
            try await client.requestSignInLink(email: email)
            return .signInEnded(.mailSent)
        }
    }

    func askAboutLink(_ link: EmailLink) {
        run { client throws(AccountClientError) in .linkTold(link, try await client.details(of: link).purpose) }
    }

    /// - Parameter email: the address beside a new password; nil for the password of the sign-up.
    func finishSignUp(_ link: EmailLink, _ password: TypedText, email: String?) {
        run { client throws(AccountClientError) in
            let account =
                if let email {
                    try await client.finishSignUp(link: link, newPassword: password.text, email: email)
                } else {
                    try await client.finishSignUp(link: link, password: password.text)
                }
            return .signedIn(Profile(account))
        }
    }

    func finishSignIn(_ link: EmailLink, _ email: String) {
        run { client throws(AccountClientError) in
            .signedIn(Profile(try await client.finishSignIn(link: link, email: email)))
        }
    }

    func finishReset(_ link: EmailLink, _ password: TypedText) {
        run { client throws(AccountClientError) in
            try await client.finishReset(link: link, newPassword: password.text)
            return .signInEnded(.passwordSet)
        }
    }

    func changePassword(from current: TypedText, to new: TypedText) {
        Task { [client, events] in
            do throws(AccountClientError) {
                try await client.changePassword(from: current.text, to: new.text)
                events.yield(.passwordChanged)
            } catch {
                events.yield(.profileFailed(LoginNotice(error)))
            }
        }
    }

    mutating func upgrade(_ password: TypedText?, endingOthers: Bool) {
        let ask = prepareQuestions()
        upgrading = Task { [client, events] in
            do throws(AccountClientError) {
                let account = try await client.upgradeToApple(
                    password: password?.text, endingOtherSessions: endingOthers
                ) { question in
                    await ask(.consentAsked(ConsentReading(question)))
                }
                events.yield(.upgraded(Profile(account)))
            } catch let error where error.code == .cancelled {
                events.yield(.upgradeEnded(.notChanged))
            } catch {
                events.yield(.failed(error, Event.upgradeEnded))
            }
        }
    }

    /// Gives the upgrade up. An event says when it has ended.
    func cancelUpgrade() {
        upgrading?.cancel()
    }

    /// Makes calls while the login waits, and sends the event that they come to.
    private func run(_ calls: @escaping @Sendable (AccountClient) async throws(AccountClientError) -> Event) {
        Task { [client, events] in
            do throws(AccountClientError) {
                events.yield(try await calls(client))
            } catch {
                events.yield(.signInEnded(LoginNotice(error)))
            }
        }
    }

    /// The event of a sign-in: whether to save the password is asked only if it isn't saved.
    private static func signedIn(
        _ account: Account, with password: SavedPassword, _ client: AccountClient
    ) async -> Event {
        do throws(AccountClientError) {
            guard try await client.savedPassword() != password else { return .signedIn(Profile(account)) }
            return .signedInByPassword(Profile(account), email: password.email)
        } catch {
            // Storage that cannot be read keeps nothing: there is no use in asking.
            return .signedIn(Profile(account))
        }
    }
}

extension LoginNotice {
    static let mailSent = LoginNotice(
        kind: .note, text: "A mail is on its way. Open its link in a browser, or choose Enter a Link, and type it.")
    static let passwordSet = LoginNotice(kind: .note, text: "Your new password is set. Log in with it.")
    static let noSavedPassword = LoginNotice(kind: .note, text: "There is no saved password any more.")
    static let linkNeeded = LoginNotice(
        kind: .note, text: "To delete the account, sign out, log in by a new link, and delete it within five minutes.")
    static let savedPasswordWrong = LoginNotice(
        kind: .problem, text: "The saved password is not right any more, and is forgotten.")
}
