/// What a person has to show before the sheet, or their settings, open to them.
enum SignInStep: Sendable {
    case password
    case code
}
