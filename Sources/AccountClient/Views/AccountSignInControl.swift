#if canImport(AppKit)
    public import AppKit
    public import AuthenticationServices

    /// AppKit's view around which ``AccountSignInControl`` is made.
    public typealias AccountSignInControlParent = NSView
#elseif canImport(UIKit) && !os(watchOS)
    public import AuthenticationServices
    public import UIKit

    /// UIKit's view around which ``AccountSignInControl`` is made.
    public typealias AccountSignInControlParent = UIView
#endif

#if canImport(AppKit) || canImport(UIKit) && !os(watchOS)
    /// Apple's button for UIKit and AppKit, which signs the person in at the account service.
    ///
    /// ```swift
    /// let button = AccountSignInControl(client: client) { result in … }
    /// ```
    ///
    /// Apple's sheet comes over the window that the button is in. A person who gives up causes no call.
    public final class AccountSignInControl: AccountSignInControlParent {
        private let client: AccountClient
        private let type: ASAuthorizationAppleIDButton.ButtonType
        private let style: ASAuthorizationAppleIDButton.Style?
        private let scopes: [ASAuthorization.Scope]
        private let onCompletion: @MainActor (Result<Account, AccountClientError>) -> Void

        /// Makes a button.
        /// - Parameters:
        ///   - client: signs in.
        ///   - type: which of Apple's texts it has. The system translates it.
        ///   - style: nil follows light and dark mode: black on light, white on dark.
        ///   - scopes: what is asked for; an empty list asks for the identifier only.
        ///   - onCompletion: takes the account or the error, on the main actor.
        public init(
            client: AccountClient, type: ASAuthorizationAppleIDButton.ButtonType = .signIn,
            style: ASAuthorizationAppleIDButton.Style? = nil, scopes: [ASAuthorization.Scope] = [.fullName, .email],
            onCompletion: @escaping @MainActor (Result<Account, AccountClientError>) -> Void
        ) {
            self.client = client
            self.type = type
            self.style = style
            self.scopes = scopes
            self.onCompletion = onCompletion
            super.init(frame: .zero)
            showButton()
        }

        /// A storyboard knows no client, so this button cannot come from one.
        public required init?(coder: NSCoder) { nil }

        /// Apple's button has its style for good, so another appearance needs another button.
        private func showButton() {
            for view in subviews { view.removeFromSuperview() }
            let button = ASAuthorizationAppleIDButton(type: type, style: style ?? (isDark ? .white : .black))
            button.translatesAutoresizingMaskIntoConstraints = false
            addSubview(button)
            NSLayoutConstraint.activate([
                button.leadingAnchor.constraint(equalTo: leadingAnchor),
                button.trailingAnchor.constraint(equalTo: trailingAnchor),
                button.topAnchor.constraint(equalTo: topAnchor),
                button.bottomAnchor.constraint(equalTo: bottomAnchor),
            ])
            #if canImport(AppKit)
                button.target = self
                button.action = #selector(pressed)
            #else
                button.addAction(UIAction { [weak self] _ in self?.pressed() }, for: .primaryActionTriggered)
            #endif
        }

        #if canImport(AppKit)
            @objc private func pressed() { signIn() }

            /// Makes the button anew when light and dark mode change places.
            public override func viewDidChangeEffectiveAppearance() {
                super.viewDidChangeEffectiveAppearance()
                if style == nil { showButton() }
            }

            private var isDark: Bool { effectiveAppearance.bestMatch(from: [.aqua, .darkAqua]) == .darkAqua }
        #else
            private func pressed() { signIn() }

            /// Makes the button anew when light and dark mode change places.
            @available(iOS, deprecated: 17.0)
            @available(tvOS, deprecated: 17.0)
            @available(visionOS, deprecated: 1.0)
            public override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
                // The compiler would warn of this call, were the method around it not deprecated like UIKit's.
                super.traitCollectionDidChange(previousTraitCollection)
                if style == nil, previousTraitCollection?.userInterfaceStyle != traitCollection.userInterfaceStyle {
                    showButton()
                }
            }

            private var isDark: Bool { traitCollection.userInterfaceStyle == .dark }
        #endif

        private func signIn() {
            #if canImport(AppKit)
                // unsafe: AppKit does not keep the window alive for its views, but this view was pressed in it just now.
                let anchor = unsafe window
            #else
                let anchor = window
            #endif
            Task {
                do throws(AccountClientError) {
                    onCompletion(.success(try await client.signIn(scopes: scopes, presentationAnchor: anchor)))
                } catch let error where error.code == .cancelled {
                    // The person gave up, and knows it.
                } catch {
                    onCompletion(.failure(error))
                }
            }
        }
    }
#endif
