#if canImport(Darwin)
    import AuthenticationServices
    import Foundation
    import TaskSignals

    /// One run of Apple's authorization controller, as an `async` call. It is the controller's delegate, and lives until the
    /// one answer is there.
    @MainActor
    final class ControllerRun: NSObject, ASAuthorizationControllerDelegate {
        private let answer = OneShot<AccountCalls.Authorized>()
        #if !os(watchOS)
            /// Names the window. Without it, the system chooses one.
            private let window: AnchorProvider?
        #endif

        private init(over anchor: PresentationAnchor?) {
            #if !os(watchOS)
                window = anchor.map { AnchorProvider(anchor: $0) }
            #endif
        }

        static func perform(
            scopes: [ASAuthorization.Scope], nonce: String, state: String, over anchor: PresentationAnchor?
        ) async throws(AccountClientError) -> AccountCalls.Authorized {
            try await ControllerRun(over: anchor).credential(scopes: scopes, nonce: nonce, state: state)
        }

        private func credential(
            scopes: [ASAuthorization.Scope], nonce: String, state: String
        ) async throws(AccountClientError) -> AccountCalls.Authorized {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.requestedScopes = scopes
            request.nonce = nonce
            request.state = state
            let controller = ASAuthorizationController(authorizationRequests: [request])
            controller.delegate = self
            #if !os(watchOS)
                controller.presentationContextProvider = window
            #endif
            controller.performRequests()
            do {
                return try await answer.value()
            } catch is CancellationError {
                #if !os(watchOS)
                    // An older Apple TV keeps its sheet until the person closes it.
                    if #available(tvOS 18.0, *) { controller.cancel() }
                #endif
                throw .superseded
            } catch {
                throw error as? AccountClientError ?? AccountClientError(authorization: error)
            }
        }

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            // The values go on, not the objects: those belong to the thread that got them.
            guard let credential = authorization.credential as? ASAuthorizationAppleIDCredential else {
                let error = AccountClientError(.invalidResponse, "the authorization holds no Apple ID credential")
                answer.deliver(.failure(error))
                return
            }
            answer.deliver(
                .success(
                    AccountCalls.Authorized(
                        credential: AppleCredential(credential, nonce: nil), state: credential.state)))
        }

        func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
            answer.deliver(.failure(error))
        }
    }

    #if !os(watchOS)
        /// Tells a controller over which window the sheet comes.
        private final class AnchorProvider: NSObject, ASAuthorizationControllerPresentationContextProviding {
            private let anchor: ASPresentationAnchor

            init(anchor: ASPresentationAnchor) {
                self.anchor = anchor
            }

            func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor { anchor }
        }
    #endif
#endif
