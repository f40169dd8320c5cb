public import AppleIDTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension AppleIDClient {
    /// Revokes a refresh token: it ends the person's authorization of the app, as they can do in the settings.
    ///
    /// Call it when a person deletes their account (Apple's TN3194). A request without an answer is repeated as
    /// ``RetryPolicy`` says. If it still fails, try again later, since revoking twice does no harm. Apple may or may
    /// not send a notification.
    /// - Parameter client: the client that obtained the token. Revoke each token of a person with its own.
    /// - Throws: ``AppleIDError/Code/grantRejected`` if Apple says that the token is dead or another client's: nothing
    ///   is left to revoke. ``AppleIDError/Code/clientRejected``, ``AppleIDError/Code/unknownClient`` and
    ///   ``AppleIDError/Code/invalidPrivateKey`` if the configuration is wrong: nothing was revoked. The first of these
    ///   includes Apple's `invalid_request`, which here says that a refresh token was sent as an access token or the
    ///   reverse. ``AppleIDError/Code/appleUnavailable`` and ``AppleIDError/Code/malformedAnswer`` if Apple gave no
    ///   real answer.
    @discardableResult
    public func revoke(
        _ token: RefreshToken, client: ClientID
    ) async throws(AppleIDError) -> AcceptedRevocation {
        try await revoke(token.rawValue, type: "refresh_token", client: client)
    }

    /// Revokes an access token, if there is no refresh token: it ends the session behind it.
    ///
    /// The parameters and errors are those of the method that revokes a refresh token.
    @discardableResult
    public func revoke(
        _ token: AccessToken, client: ClientID
    ) async throws(AppleIDError) -> AcceptedRevocation {
        try await revoke(token.rawValue, type: "access_token", client: client)
    }

    private func revoke(
        _ token: String, type: String, client: ClientID
    ) async throws(AppleIDError) -> AcceptedRevocation {
        try await instrumentation.call(.revocation) { () async throws(AppleIDError) -> AcceptedRevocation in
            let registered = try self.client(client)
            guard !token.isEmpty else { throw AppleIDError(.tokenMissing, "the token to revoke is empty") }
            // The field is called token, whatever the token is.
            let form = [
                ("client_id", registered.id.rawValue), ("client_secret", try secret(for: registered).rawValue),
                ("token", token), ("token_type_hint", type),
            ]
            let response = try await send(.post(server.revocationURL, form: form), for: .revocation)
            // The body is empty, and nothing depends on that.
            guard response.status == 200 else { throw TokenRefusal.error(for: response, to: .revocation) }
            return AcceptedRevocation(client: registered.id, tokenType: type, acceptedAt: environment.now())
        }
    }
}

/// A record of a revocation that Apple accepted. It is no proof: Apple accepts a token that was dead already, and one
/// that it never issued.
public struct AcceptedRevocation: Hashable, Sendable {
    /// The client that obtained the token and revoked it.
    public let client: ClientID
    /// The kind of token that was revoked, in Apple's words: `refresh_token` or `access_token`.
    public let tokenType: String
    /// The time of Apple's answer, by this server's clock.
    public let acceptedAt: Date
}
