import AccountAPI

import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    private static let timeToSignOut = Duration.seconds(5)

    func signOut() async throws -> Bool {
        cancelSignIn()
        var session: StoredSession?
        var isReadable = true
        do {
            session = try await loaded().session
        } catch {
            // What cannot be read can still be removed. Whose session it was is not known then.
            record = StoredRecord()
            isReadable = false
        }
        let access = access
        forgetSession(.signedOut)
        endRefresh(.failure(nobody))
        let removal: AccountClientError?
        do {
            try await save(replacing: true)
            removal = nil
        } catch {
            removal = error
        }
        let isEnded =
            if let session { await end(session.refreshToken, session.attempt, access: access) } else { isReadable }
        if let removal { throw removal }
        return isEnded
    }

    /// Ends a session that nobody uses any more, without anybody waiting for it.
    func endLater(_ session: SessionBody) {
        let access = AccessToken(
            token: session.accessToken, expiresAt: environment.now() + .seconds(session.expiresIn))
        Task { _ = await self.end(session.refreshToken, nil, access: access) }
    }

    func endLater(_ session: StoredSession, access: AccessToken?) {
        Task { _ = await self.end(session.refreshToken, session.attempt, access: access) }
    }

    /// - Returns: whether the account service has no such session any more. When it cannot be asked, the session lives
    ///   there until it expires, and nobody holds its tokens.
    private func end(_ refreshToken: String, _ attempt: String?, access: AccessToken?) async -> Bool {
        do {
            return try await withDeadline(Self.timeToSignOut) { core in
                try await core.endNow(refreshToken, attempt, access: access)
                return true
            }
        } catch let error as ServiceError {
            return error.endOfSession != nil
        } catch {
            return false
        }
    }

    private func endNow(
        _ refreshToken: String, _ attempt: String?, access: AccessToken?
    ) async throws(ServiceError) {
        if let access, access.isGood(at: environment.now()) {
            do {
                return try await connection.send("DELETE", "/v1/session", accessToken: access.token)
            } catch  where error.wantsOtherAccessToken {
                // Another one then.
            }
        }
        let renewed = try await exchange(refreshToken, attempt: attempt, attempts: 2)
        try await connection.send("DELETE", "/v1/session", accessToken: renewed.session.accessToken)
    }
}
