import AccountAPI
import AccountConnection
public import Foundation

extension AccountClient {
    /// Ends what Apple lets the account service do for the person, and leaves account and sessions as they are: for an
    /// app that stops using Sign in with Apple. ``deleteAccount(promptingIfNeeded:presentationAnchor:)`` does it by itself.
    ///
    /// The account service tells Apple soon after, and tries again as long as it takes. It needs a sign-in of the last five
    /// minutes. Without one, the client asks the person to sign in with Apple once more, if Apple opened this session. If an
    /// email address or another provider opened it, the client doesn't ask: the error is `refused` with
    /// `requires_recent_login`. Then call ``reauthenticate(password:)`` or `reauthenticate(with:)`.
    ///
    /// Throws as ``reauthenticate(presentationAnchor:)`` does.
    /// - Parameters:
    ///   - promptingIfNeeded: whether the person may be asked. Otherwise, without a recent sign-in, it is `refused` with
    ///     `requires_recent_login`.
    ///   - presentationAnchor: the window over which Apple's sheet comes, as for ``signIn(scopes:presentationAnchor:)``.
    /// - Returns: what the person can do by hand, to be shown to them, where the account service holds nothing that it
    ///   could revoke; nil when Apple is told.
    @discardableResult
    public func revokeToken(
        promptingIfNeeded: Bool = true, presentationAnchor: PresentationAnchor? = nil
    ) async throws(AccountClientError) -> ManualRemoval? {
        try await calls.revokeTokens(promptingIfNeeded ? ask(for: [], over: presentationAnchor) : nil)
    }

    /// Ends what Apple lets the account service do for the person, with a fresh authorization code of Apple's or of the
    /// account service's. The code proves that the person is there.
    ///
    /// Throws as ``accessToken()`` does, and `refused`.
    /// - Parameters:
    ///   - nonce: the raw nonce, when the request that brought the code had its hash.
    ///   - clientID: the bundle identifier that Apple gave the code to; nil for that of the session.
    /// - Returns: what the person can do by hand; nil when Apple is told.
    @discardableResult
    public func revokeToken(
        withAuthorizationCode authorizationCode: String, nonce: String? = nil, clientID: String? = nil
    ) async throws(AccountClientError) -> ManualRemoval? {
        try await calls.revoke(
            AppleRevocationRequest(authorizationCode: authorizationCode, nonce: nonce, clientID: clientID))
    }
}

extension AccountCalls {
    /// - Parameter authorize: asks the person when a recent sign-in is needed; nil never asks.
    func revokeTokens(_ authorize: Authorize?) async throws(AccountClientError) -> ManualRemoval? {
        try await withReauthentication(by: authorize) { () throws(AccountClientError) in
            try await revoke(AppleRevocationRequest())
        }
    }

    func revoke(_ request: AppleRevocationRequest) async throws(AccountClientError) -> ManualRemoval? {
        let answer = try await call(doing: "revoking Apple's token") { token throws(ServiceError) in
            try await environment.retries(3) { () async throws(ServiceError) in
                try await connection.send(
                    "POST", "/v1/apple/revoke", body: request, accessToken: token, silenceLimit: .whileAppleIsAsked,
                    as: AppleRevocationAnswer.self)
            }
        }
        return ManualRemoval(answer.manualRemoval)
    }
}

/// Instructions for a person who ends Apple's side by hand, where the account service holds no token to do it with.
/// Show them to the person: Apple asks for that (TN3194).
public struct ManualRemoval: Hashable, Sendable {
    /// The instructions, in English.
    public let message: String
    /// The web page with the person's list of apps.
    public let url: URL

    init?(_ removal: AccountAPI.ManualRemoval?) {
        guard let removal, let url = URL(string: removal.url) else { return nil }
        message = removal.message
        self.url = url
    }
}
