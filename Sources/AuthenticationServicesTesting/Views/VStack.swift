// On Apple's platforms SwiftUI has its own.
#if !canImport(SwiftUI)
    public import OpenAuthenticationServices

    /// SwiftUI's stack, with nothing in it but buttons to sign in with Apple: for the unit test of a small view.
    ///
    /// ```swift
    /// let stack = VStack {
    ///     SignInWithAppleButton(onRequest: model.fill, onCompletion: model.finish)
    /// }.signInWithAppleButtonStyle(.black)
    /// stack.buttons[0].press()
    /// ```
    public struct VStack {
        /// The buttons in the stack, from top to bottom.
        public let buttons: [SignInWithAppleButton]

        /// Makes a stack of buttons.
        public init(@VStackBuilder content: () -> [SignInWithAppleButton]) {
            buttons = content()
        }

        private init(buttons: [SignInWithAppleButton]) {
            self.buttons = buttons
        }

        /// Gives colours to each button that has none.
        public func signInWithAppleButtonStyle(_ style: SignInWithAppleButton.Style) -> Self {
            Self(buttons: buttons.map { $0.signInWithAppleButtonStyle(style) })
        }
    }

    /// Builds the content of a ``VStack``: buttons, also under conditions.
    @resultBuilder
    public enum VStackBuilder {
        /// Takes one button.
        public static func buildExpression(_ button: SignInWithAppleButton) -> [SignInWithAppleButton] { [button] }

        /// Takes what stands below each other.
        public static func buildBlock(_ parts: [SignInWithAppleButton]...) -> [SignInWithAppleButton] {
            parts.flatMap(\.self)
        }

        /// Takes an `if` without an `else`.
        public static func buildOptional(_ part: [SignInWithAppleButton]?) -> [SignInWithAppleButton] { part ?? [] }

        /// Takes the first branch of a condition.
        public static func buildEither(first part: [SignInWithAppleButton]) -> [SignInWithAppleButton] { part }

        /// Takes the second branch of a condition.
        public static func buildEither(second part: [SignInWithAppleButton]) -> [SignInWithAppleButton] { part }
    }
#endif
