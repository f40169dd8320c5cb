import Foundation
import OpenAuthenticationServices

extension AccountClient {
    #if canImport(Darwin)
        /// Whether Apple's own sheet asks the person: no test's script is in its place, and the app has chosen no other way.
        var usesAppleSheet: Bool { CurrentPerformer.scripted == nil && configuration.flow == .automatic }
    #endif

    /// Asks by a test's script, or by the way that the configuration names.
    func flowAuthorization(for scopes: [String]) -> AccountCalls.Authorize {
        let performer = presentPerformer
        return { nonce, state in try await performer.authorized(scopes: scopes, nonce: nonce, state: state) }
    }

    /// This client's own performer, whatever the process has installed; a test's script is left in its place.
    private var presentPerformer: any AuthorizationPerformer { CurrentPerformer.scripted ?? performer }
}

extension CurrentPerformer {
    /// A test's script. A client never replaces it by its own performer.
    fileprivate static var scripted: (any AuthorizationPerformer)? {
        guard let present = value, !(present is AccountServicePerformer) else { return nil }
        return present
    }
}

extension AuthorizationPerformer {
    /// Performs an authorization as a controller would, without its delegate.
    ///
    /// A controller that is cancelled answers at once. This ends when everything that it began has ended, so a program that
    /// exits then has told the account service that nobody waits any more.
    fileprivate func authorized(
        scopes: [String], nonce: String, state: String
    ) async throws(AccountClientError) -> AccountCalls.Authorized {
        performingBegan()
        let request = AppleIDRequestValues(
            requestedScopes: scopes.map { OpenAuthenticationServices.ASAuthorization.Scope($0) }, state: state,
            nonce: nonce)
        let result: Result<AppleIDCredentialValues, OpenAuthenticationServices.ASAuthorizationError>
        do throws(OpenAuthenticationServices.ASAuthorizationError) {
            result = .success(try await authorize(request))
        } catch {
            result = .failure(error)
        }
        await MainActor.run { performingEnded() }
        // A credential that comes at the same moment is dropped, as with a controller.
        guard !Task.isCancelled else { throw .superseded }
        do {
            return AccountCalls.Authorized(try result.get())
        } catch {
            throw AccountClientError(flow: error)
        }
    }
}

extension AccountCalls.Authorized {
    init(_ values: AppleIDCredentialValues) {
        self.init(
            credential: AppleCredential(
                user: values.user, identityToken: values.identityToken.map { String(decoding: $0, as: UTF8.self) },
                authorizationCode: values.authorizationCode.map { String(decoding: $0, as: UTF8.self) }, nonce: nil,
                fullName: values.fullName),
            state: values.state)
    }
}
