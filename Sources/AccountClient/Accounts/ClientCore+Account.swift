import AccountAPI

import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    /// An app that starts shows something after this time, network or not.
    private static let timeToLook = Duration.seconds(10)

    func existingAccount() async throws -> Account? {
        if try await loaded().session == nil {
            // Another process may have signed in since.
            let era = self.era
            let stored = try await store.load()
            if era == self.era, stored.session != nil { adopt(stored) }
        }
        guard record?.session != nil else { return nil }
        do {
            return try await withDeadline(Self.timeToLook) { try await $0.reloadAccount() }
        } catch let error as AccountClientError {
            switch error.code {
            case .notSignedIn, .sessionEnded: return nil
            case .backendUnavailable: return presentState.account
            default: throw error
            }
        }
    }

    func reloadAccount() async throws -> Account {
        let token = try await accessToken()
        let era = self.era
        let answer: AccountAnswer
        do {
            answer = try await account(with: token)
        } catch let error as ServiceError {
            guard era == self.era else { throw nobody }
            guard let code = error.endOfSession else {
                throw AccountClientError(error, doing: "asking for the account")
            }
            let begun = refresh?.number
            guard let ended = await endSession(code, of: record?.session?.refreshToken, because: error) else {
                return try await reloadAccount()
            }
            if begun == refresh?.number { endRefresh(.failure(ended)) }
            throw ended
        }
        guard era == self.era, record?.session != nil else { throw nobody }
        isConfirmed = true
        if record?.session?.account != answer.account {
            record?.session?.account = answer.account
            publish()
            try await save()
        } else {
            publish()
        }
        guard let account = presentState.account else { throw nobody }
        return account
    }

    /// An access token that is refused in spite of its age is replaced, once: clocks and keys change, and another
    /// process may have stored another session in the place of the one that it belongs to.
    private func account(with token: String) async throws -> AccountAnswer {
        do {
            return try await connection.send("GET", "/v1/account", accessToken: token)
        } catch  where error.isAboutAccessToken {
            if access?.token == token { access = nil }
            let other = try await accessToken()
            return try await connection.send("GET", "/v1/account", accessToken: other)
        }
    }
}
