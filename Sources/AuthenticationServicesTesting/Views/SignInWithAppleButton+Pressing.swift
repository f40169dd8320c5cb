public import OpenAuthenticationServices

extension SignInWithAppleButton {
    /// Makes a button with SwiftUI's initializer. It has no picture: a unit test reads what it says, and presses it.
    ///
    /// - Parameters:
    ///   - onRequest: Called when the button is pressed, to fill in the request.
    ///   - onCompletion: Called once for each press, on the main actor.
    public init(
        _ label: Label = .signIn, onRequest: @escaping (ASAuthorizationAppleIDRequest) -> Void,
        onCompletion: @escaping (Result<ASAuthorization, any Error>) -> Void
    ) {
        self.init(label: label, onRequest: onRequest, onCompletion: onCompletion)
    }

    /// The words on the button, in English.
    public var title: String { label.title }

    /// The colours that ``signInWithAppleButtonStyle(_:)`` gave; nil if nothing did.
    public var style: Style? { chosenStyle }

    /// Gives the button colours, unless it has some: the modifier that is nearest to the button counts.
    public func signInWithAppleButtonStyle(_ style: Style) -> Self {
        var button = self
        button.chosenStyle = button.chosenStyle ?? style
        return button
    }

    /// Presses the button: asks for the request, performs it, and hands on the result.
    ///
    /// Use it in ``withAuthorizationScript(_:operation:)``. The result arrives before
    /// ``AuthorizationScript/allAnswered()`` returns.
    @MainActor
    public func press() {
        let request = ASAuthorizationAppleIDProvider().createRequest()
        onRequest(request)
        let controller = ASAuthorizationController(authorizationRequests: [request])
        controller.delegate = CompletionDelegate(onCompletion)
        controller.performRequests()
    }
}
