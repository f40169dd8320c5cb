import AccountAPI

import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    /// A call in the name of whoever is signed in now, and of nobody else: when somebody else has signed in meanwhile,
    /// here or in another process, it is not made.
    ///
    /// An access token that is refused in spite of its age is replaced once: clocks and keys change.
    /// - Parameters:
    ///   - action: what is being done, for errors: "asking for the sessions".
    ///   - work: one call with an access token.
    func call<Value: Sendable>(
        doing action: String, _ work: (_ accessToken: String) async throws(ServiceError) -> Value
    ) async throws -> Value {
        guard let account = try await loaded().session?.account.id else { throw nobody }
        var isRepeated = false
        while true {
            let token = try await accessToken()
            guard record?.session?.account.id == account else { throw Self.somebodyElse }
            let era = self.era
            do throws(ServiceError) {
                return try await work(token)
            } catch {
                guard era == self.era else { throw nobody }
                if error.isAboutAccessToken, !isRepeated {
                    isRepeated = true
                    if access?.token == token { access = nil }
                    continue
                }
                guard let code = error.endOfSession else { throw AccountClientError(error, doing: action) }
                let begun = refresh?.number
                guard let ended = await endSession(code, of: record?.session?.refreshToken, because: error) else {
                    continue
                }
                if begun == refresh?.number { endRefresh(.failure(ended)) }
                throw ended
            }
        }
    }

    static var somebodyElse: AccountClientError {
        AccountClientError(.cancelled, "somebody else has signed in meanwhile")
    }
}
