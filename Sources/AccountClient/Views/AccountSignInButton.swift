#if canImport(SwiftUI)
    public import AuthenticationServices
    public import SwiftUI

    /// Apple's button for SwiftUI, which signs the person in at the account service.
    ///
    /// ```swift
    /// AccountSignInButton(client: client) { result in
    ///     switch result {
    ///     case .success(let account): show(account)
    ///     case .failure(let error): show(error.reason)
    ///     }
    /// }
    /// .frame(height: 44)
    /// ```
    ///
    /// The client makes the nonce of each press. A person who gives up causes no call: nothing is to be shown then.
    public struct AccountSignInButton: View {
        @Environment(\.colorScheme) private var colorScheme
        @State private var signIn: ButtonSignIn
        private let label: SignInWithAppleButton.Label
        private let style: SignInWithAppleButton.Style?
        private let scopes: [ASAuthorization.Scope]
        private let onCompletion: @MainActor (Result<Account, AccountClientError>) -> Void

        /// Makes a button.
        /// - Parameters:
        ///   - label: Apple's text, which the system translates.
        ///   - client: signs in.
        ///   - scopes: what is asked for; an empty list asks for the identifier only.
        ///   - style: nil follows the colour scheme: black on light, white on dark.
        ///   - onCompletion: takes the account or the error, on the main actor.
        public init(
            _ label: SignInWithAppleButton.Label = .signIn, client: AccountClient,
            scopes: [ASAuthorization.Scope] = [.fullName, .email], style: SignInWithAppleButton.Style? = nil,
            onCompletion: @escaping @MainActor (Result<Account, AccountClientError>) -> Void
        ) {
            self.label = label
            self.style = style
            self.scopes = scopes
            self.onCompletion = onCompletion
            _signIn = State(initialValue: ButtonSignIn(client.calls))
        }

        /// Apple's button. It is made anew when the colour scheme changes, because its style cannot change.
        public var body: some View {
            SignInWithAppleButton(label) { request in
                signIn.begin(request, scopes: scopes)
            } onCompletion: { result in
                Task {
                    if let result = await signIn.end(result) { onCompletion(result) }
                }
            }
            .signInWithAppleButtonStyle(style ?? (colorScheme == .dark ? .white : .black))
            .id(colorScheme)
        }
    }
#endif
