// The overlay that both modules together bring.

@_exported public import AuthenticationServices
@_exported public import SwiftUI

// authenticationservices/signinwithapplebutton: iOS 14, macOS 11, tvOS 14, watchOS 7
@MainActor @preconcurrency public struct SignInWithAppleButton: View {
    // authenticationservices/signinwithapplebutton/init(_:onrequest:oncompletion:)
    public nonisolated init(
        _ label: Label = .signIn, onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
        onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
    ) {}
    public var body: some View { EmptyView() }

    // authenticationservices/signinwithapplebutton/label
    public struct Label {
        public static let signIn = Label()
        public static let `continue` = Label()
        public static let signUp = Label()
    }
    // authenticationservices/signinwithapplebutton/style
    public struct Style {
        public static let black = Style()
        public static let white = Style()
        public static let whiteOutline = Style()
    }
}

extension View {
    // swiftui/view/signinwithapplebuttonstyle(_:)
    public nonisolated func signInWithAppleButtonStyle(_ style: SignInWithAppleButton.Style) -> some View {
        EmptyView()
    }
}
