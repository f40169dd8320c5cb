import Foundation

// The session as Apple's own types show it: for raw controllers and providers, where they are ours.
#if !canImport(Darwin)
    import OpenAuthenticationServices

    extension AccountCalls {
        var existingCredentialSource: ExistingCredentialSource {
            ExistingCredentialSource(
                existingCredential: { requests async throws(ASAuthorizationError) in
                    try await existingCredential(requests)
                },
                credentialState: { await credentialState(forUserID: $0) },
                transferSubjectHash: { await transferSubjectHash(forUserID: $0) },
                endSession: {
                    // The session is forgotten. An app that wants to know of failures calls `signOut()` itself.
                    _ = try? await signOut()
                },
                replacePassword: { user, authorize async throws(ASAuthorizationError) in
                    try await replaceSavedPassword(of: user, by: authorize)
                })
        }

        /// The session with Apple comes first, and then a saved password.
        private func existingCredential(
            _ requests: ExistingCredentialRequests
        ) async throws(ASAuthorizationError) -> ExistingCredential {
            do throws(ASAuthorizationError) {
                guard let request = requests.appleID else { throw Self.noneStored }
                return .appleID(try await existingAppleCredential(request))
            } catch let error where error.reason == .noStoredCredential && requests.includesPassword {
                guard let saved = try await savedForController() else { throw error }
                return .password(user: saved.email, password: saved.password)
            }
        }

        private func existingAppleCredential(
            _ request: AppleIDRequestValues
        ) async throws(ASAuthorizationError) -> AppleIDCredentialValues {
            do {
                _ = try user(in: try await session.ask(.read), for: request)
                // Another process may have signed somebody else in, which shows when a token is due.
                let now = try await session.accessToken().now
                return AppleIDCredentialValues(user: try user(in: now, for: request), state: request.state)
            } catch let error as ASAuthorizationError {
                throw error
            } catch let error as AccountClientError where error.code == .notSignedIn || error.code == .sessionEnded {
                throw Self.noneStored
            } catch {
                throw ASAuthorizationError(.failed, reason: .serviceUnavailable, underlying: error)
            }
        }

        /// Apple's identifier of the person who is signed in, if the request is for them or for anybody.
        private func user(
            in now: SessionSnapshot, for request: AppleIDRequestValues
        ) throws(ASAuthorizationError) -> String {
            guard let user = now.session?.user, request.user == nil || request.user == user else {
                throw Self.noneStored
            }
            return user
        }

        private func savedForController() async throws(ASAuthorizationError) -> SavedPassword? {
            do throws(AccountClientError) {
                return try await savedPassword()
            } catch {
                throw ASAuthorizationError(.failed, reason: .storageUnavailable, underlying: error)
            }
        }

        /// Upgrades the person who is signed in to Sign in with Apple, with the password that is saved for them.
        private func replaceSavedPassword(
            of user: String, by authorize: @escaping ExistingCredentialSource.AskPerson
        ) async throws(ASAuthorizationError) {
            guard let saved = try await savedForController(), saved.belongs(to: user) else { throw Self.noneStored }
            do throws(AccountClientError) {
                // Somebody else may be signed in, whose account has another password.
                let account = await session.state().account
                guard let email = account?.waysIn?.email, saved.belongs(to: email) else {
                    throw AccountClientError(.notSignedIn, "the person of this password is not signed in")
                }
                let scopes = Self.scopes(ofUpgrade: account)
                try await upgradeToApple(password: saved.password, asking: nil, endingOtherSessions: false) {
                    nonce, state throws(AccountClientError) in
                    do throws(ASAuthorizationError) {
                        let request = AppleIDRequestValues(requestedScopes: scopes, state: state, nonce: nonce)
                        return AccountCalls.Authorized(try await authorize(request))
                    } catch {
                        throw AccountClientError(flow: error)
                    }
                }
            } catch {
                throw Self.authorizationError(error)
            }
        }

        private static func authorizationError(_ error: AccountClientError) -> ASAuthorizationError {
            if let own = error.cause as? ASAuthorizationError { return own }
            return switch error.code {
            case .cancelled: ASAuthorizationError(.canceled, reason: .cancelledByApp, underlying: error)
            case .backendUnavailable: ASAuthorizationError(.failed, reason: .serviceUnavailable, underlying: error)
            case .storage: ASAuthorizationError(.failed, reason: .storageUnavailable, underlying: error)
            case .notSignedIn, .sessionEnded:
                ASAuthorizationError(.failed, reason: .noStoredCredential, underlying: error)
            default:
                ASAuthorizationError(.failed, reason: .refused, explanation: error.reason, underlying: error)
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
