import AccountAPI
import AccountConnection
public import Foundation

extension AccountClient {
    /// Asks the person to sign in with Apple once more, so that calls that need a recent sign-in work for the next five
    /// minutes.
    ///
    /// ``deleteAccount(promptingIfNeeded:presentationAnchor:)`` and ``revokeToken(promptingIfNeeded:presentationAnchor:)`` need
    /// a recent sign-in, and ask for it themselves. The session stays as it is. A second call, or a sign-in, cancels the first.
    ///
    /// Throws as ``signIn(scopes:presentationAnchor:)`` and ``accessToken()`` do; `refused` with `credential_mismatch` if
    /// another person signs in than the one who is signed in here.
    /// - Parameter presentationAnchor: the window over which Apple's sheet comes, as for
    ///   ``signIn(scopes:presentationAnchor:)``.
    /// - Returns: the time of the proof, by the account service's clock.
    @discardableResult
    public func reauthenticate(presentationAnchor: PresentationAnchor? = nil) async throws(AccountClientError) -> Date {
        try await calls.reauthenticate(ask(for: [], over: presentationAnchor))
    }

    /// Proves that the person is there with the credential that the app's own `ASAuthorizationController` was given,
    /// for a nonce from ``reauthenticationNonce()``.
    ///
    /// Throws as ``reauthenticate(presentationAnchor:)`` does.
    /// - Returns: the time of the proof, by the account service's clock.
    @discardableResult
    public func reauthenticate(with credential: AppleCredential) async throws(AccountClientError) -> Date {
        try await calls.reauthenticate(with: credential)
    }

    /// Asks the account service for the nonce of one reauthentication, good for ten minutes and in this session alone.
    ///
    /// The request to Apple gets the nonce's lowercase hexadecimal SHA-256, and `reauthenticate(with:)` the nonce
    /// itself. A nonce of the app's own is refused there: it would not prove that the person is there now.
    public func reauthenticationNonce() async throws(AccountClientError) -> String {
        try await calls.challenge(.reauthenticate)
    }
}

extension AccountCalls {
    func reauthenticate(_ authorize: @escaping Authorize) async throws(AccountClientError) -> Date {
        try await session.withAuthorization { _ throws(AccountClientError) in try await renew(by: authorize) }
    }

    func reauthenticate(with credential: AppleCredential) async throws(AccountClientError) -> Date {
        try await session.withAuthorization { _ throws(AccountClientError) in try await renew(with: credential) }
    }

    func challenge(_ purpose: ChallengePurpose) async throws(AccountClientError) -> String {
        try await call(doing: "asking for a nonce") { token throws(ServiceError) in
            try await connection.send(
                "POST", "/v1/challenges", body: ChallengeRequest(purpose: purpose), accessToken: token,
                as: ChallengeAnswer.self)
        }.nonce
    }

    /// Asks the person, for a nonce that was made for this purpose.
    func proof(for purpose: ChallengePurpose, by authorize: Authorize) async throws(AccountClientError)
        -> ReauthenticationRequest
    {
        let nonce = Nonce(try await challenge(purpose))
        return try Self.proof(try await authorizedCredential(for: nonce, by: authorize))
    }

    private static func proof(_ credential: AppleCredential) throws(AccountClientError) -> ReauthenticationRequest {
        let nonce = try checkedNonce(of: credential, from: "reauthenticationNonce()")
        return ReauthenticationRequest(
            identityToken: credential.identityToken, authorizationCode: credential.authorizationCode, nonce: nonce,
            clientID: credential.clientID)
    }

    /// Makes a call that needs a recent sign-in. If there was none, asks the person at Apple, in an authorization of its own,
    /// and makes the call again.
    /// - Parameter authorize: asks the person; nil never asks.
    func withReauthentication<Value: Sendable>(
        by authorize: Authorize?, _ work: () async throws(AccountClientError) -> Value
    ) async throws(AccountClientError) -> Value {
        try await repeating(work, by: authorize) { authorize throws(AccountClientError) in
            _ = try await reauthenticate(authorize)
        }
    }

    /// Makes a call as ``withReauthentication(by:_:)`` does, within the authorization that is under way.
    /// - Parameter authorize: asks the person; nil never asks.
    func withRecentProof<Value: Sendable>(
        by authorize: Authorize?, _ work: () async throws(AccountClientError) -> Value
    ) async throws(AccountClientError) -> Value {
        try await repeating(work, by: authorize) { authorize throws(AccountClientError) in
            _ = try await renew(by: authorize)
        }
    }

    /// Makes a call, and makes it again after a proof if the service asks for a recent sign-in.
    private func repeating<Value: Sendable>(
        _ work: () async throws(AccountClientError) -> Value, by authorize: Authorize?,
        afterProof prove: (@escaping Authorize) async throws(AccountClientError) -> Void
    ) async throws(AccountClientError) -> Value {
        do throws(AccountClientError) {
            return try await work()
        } catch let error where error.code == .refused(.requiresRecentLogin) {
            // A person who signs in without Apple can't prove anything at Apple.
            guard let authorize, try await isOpenedByApple() else { throw error }
            try await prove(authorize)
            return try await work()
        }
    }

    /// Asks the person at Apple, within an authorization.
    private func renew(by authorize: Authorize) async throws(AccountClientError) -> Date {
        let nonce = Nonce(try await challenge(.reauthenticate))
        return try await renew(with: try await authorizedCredential(for: nonce, by: authorize))
    }

    private func renew(with credential: AppleCredential) async throws(AccountClientError) -> Date {
        try await renew("/v1/reauthenticate/apple", with: Self.proof(credential), user: credential.user)
    }

    /// Proves that the person is there by one of the routes for that.
    /// - Parameter user: Apple's identifier of the person, which the proof proves too; nil for a proof without Apple.
    func renew(
        _ path: String, with request: some Encodable & Sendable, user: String? = nil
    ) async throws(AccountClientError) -> Date {
        let stored = try await session.ask(.read)
        guard let account = stored.session?.account.id else { throw stored.notSignedInError }
        let answered = try await answer(doing: "proving who is there", as: account) { token throws(ServiceError) in
            try await environment.retries(3) { () async throws(ServiceError) in
                try await environment.countingFromRequest { () async throws(ServiceError) in
                    try await connection.send(
                        "POST", path, body: request, accessToken: token, silenceLimit: .whileAppleIsAsked,
                        as: ReauthenticationAnswer.self)
                }
            }
        }
        _ = try await session.ask(.reauthenticated(answered.value, user: user, stored.epoch))
        return answered.value.authenticatedAt.date
    }
}
