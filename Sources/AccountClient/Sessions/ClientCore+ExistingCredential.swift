// The session as Apple's own types show it: for raw controllers and providers, where they are ours.
#if !canImport(Darwin)
    import Foundation
    import OpenAuthenticationServices

    extension ClientCore {
        nonisolated var existingCredentialSource: ExistingCredentialSource {
            ExistingCredentialSource(
                existingCredential: { requests async throws(ASAuthorizationError) in
                    .appleID(try await self.existingCredential(requests))
                },
                credentialState: { await self.credentialState(forUserID: $0) },
                endSession: {
                    // The session is forgotten in any case; what may fail is told by `signOut()` itself.
                    _ = try? await self.signOut()
                })
        }

        private func existingCredential(
            _ requests: ExistingCredentialRequests
        ) async throws(ASAuthorizationError) -> AppleIDCredentialValues {
            guard let request = requests.appleID else { throw Self.noneStored }
            do {
                guard let session = try await loaded().session, request.user == nil || request.user == session.user
                else { throw Self.noneStored }
                _ = try await accessToken()
                return AppleIDCredentialValues(user: session.user, state: request.state)
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
