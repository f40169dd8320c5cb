/// What a button says.
enum ButtonTitle: String, CaseIterable, Sendable {
    case signIn = "sign-in"
    case `continue`
    case signUp = "sign-up"
}
