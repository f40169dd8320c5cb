import Foundation

// The session as Apple's own types show it: for raw controllers and providers, where they are ours.
#if !canImport(Darwin)
    import OpenAuthenticationServices

    extension AccountCalls {
        var existingCredentialSource: ExistingCredentialSource {
            ExistingCredentialSource(
                existingCredential: { requests async throws(ASAuthorizationError) in
                    .appleID(try await existingCredential(requests))
                },
                credentialState: { await credentialState(forUserID: $0) },
                endSession: {
                    // The session is forgotten in any case; what may fail is told by `signOut()` itself.
                    _ = try? await signOut()
                })
        }

        private func existingCredential(
            _ requests: ExistingCredentialRequests
        ) async throws(ASAuthorizationError) -> AppleIDCredentialValues {
            guard let request = requests.appleID else { throw Self.noneStored }
            do {
                guard let stored = try await session.ask(.read).session,
                    request.user == nil || request.user == stored.user
                else { throw Self.noneStored }
                _ = try await session.accessToken()
                return AppleIDCredentialValues(user: stored.user, state: request.state)
            } catch let error as ASAuthorizationError {
                throw error
            } catch let error as AccountClientError where error.code == .notSignedIn || error.code == .sessionEnded {
                throw Self.noneStored
            } catch {
                throw ASAuthorizationError(.failed, reason: .serviceUnavailable, underlying: error)
            }
        }

        private static var noneStored: ASAuthorizationError {
            ASAuthorizationError(.canceled, reason: .noStoredCredential)
        }
    }
#endif

/// Posts Apple's notification that a credential was revoked, where Apple does not post it.
package enum CredentialRevocation {
    /// Posts the notification on the main actor, without an object, as Apple does. On Apple's platforms the system
    /// posts its own.
    package static func post() {
        #if !canImport(Darwin)
            Task { @MainActor in
                NotificationCenter.default.post(
                    name: ASAuthorizationAppleIDProvider.credentialRevokedNotification, object: nil)
            }
        #endif
    }
}
