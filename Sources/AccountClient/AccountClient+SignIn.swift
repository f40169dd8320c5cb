#if canImport(Darwin)
    public import AuthenticationServices
#else
    public import OpenAuthenticationServices
#endif

extension AccountClient {
    /// Asks the person to sign in with Apple: by Apple's sheet where there is one, else in a browser.
    ///
    /// A second call cancels the first. Off Apple's platforms a call that is cancelled ends when the account service
    /// has been told, which takes two seconds at most. What Apple tells only once, the name, is stored until the
    /// account service has it, so that a sign-in which failed half-way loses nothing.
    ///
    /// Throws `cancelled` when the person gave up, for which no message is due; `authorizationFailed`,
    /// `backendUnavailable`, `refused`, `storage`, `notConfigured`, `invalidResponse`.
    /// - Parameter scopes: what is asked for; an empty list asks for the identifier only.
    @discardableResult
    public func signIn(scopes: [ASAuthorization.Scope] = [.fullName, .email]) async throws -> Account {
        try await core.signIn(ask(for: scopes))
    }

    /// How the person is asked here.
    func ask(for scopes: [ASAuthorization.Scope]) -> ClientCore.Authorize {
        #if canImport(Darwin)
            return { nonce, state in
                try await ControllerRun.perform(scopes: scopes, nonce: nonce, state: state)
            }
        #else
            let performer = presentPerformer
            return { nonce, state in
                try await performer.authorized(scopes: scopes, nonce: nonce, state: state)
            }
        #endif
    }

    /// Signs in with what the app's own `ASAuthorizationController` was given.
    ///
    /// A second call of either form cancels the first. Throws as ``signIn(scopes:)`` does; `refused` with
    /// `token_already_used` or a relative of it means that the authorization has to be made anew.
    @discardableResult
    public func signIn(with credential: AppleCredential) async throws -> Account {
        try await core.signIn(with: credential)
    }

    /// Makes `ASAuthorizationController` and `ASAuthorizationAppleIDProvider` of this process use this client's account
    /// service and session, where they are ours. On Apple's platforms they are Apple's, and nothing changes.
    ///
    /// What a controller returns signs nobody in until it is given to ``signIn(with:)``. From now on, and for as long
    /// as this client lives, the account's events are followed while somebody is signed in, so that
    /// `credentialRevokedNotification` is posted soon after the person has stopped using the app.
    public func install() {
        #if !canImport(Darwin)
            AuthenticationServicesConfiguration.shared = configuration
            // Not another one for the same: a controller and this client end each other's requests.
            CurrentPerformer.install(performer)
            watch()
        #endif
    }

    #if !canImport(Darwin)
        /// This client's own, whatever the process has installed; a test's script is left in its place.
        private var presentPerformer: any AuthorizationPerformer {
            guard let present = CurrentPerformer.value, !(present is AccountServicePerformer) else { return performer }
            return present
        }
    #endif
}
