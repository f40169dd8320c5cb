import AppleIDTypes

extension AuthorizationRequest {
    /// How the answer reaches the client. Every mode that the rules let through is here, and every `switch` over them
    /// names each.
    enum Mode: Sendable {
        case query, fragment, formPost
        /// From a popup to the page that opened it, for Apple's script.
        case webMessage

        /// Nil for a word that names no mode.
        init?(_ word: ResponseMode) {
            switch word {
            case .query: self = .query
            case .fragment: self = .fragment
            case .formPost: self = .formPost
            case .webMessage: self = .webMessage
            default: return nil
            }
        }

        /// Whether a name or an address may travel so. Apple keeps them out of addresses.
        var mayCarryUser: Bool {
            switch self {
            case .query, .fragment: false
            case .formPost, .webMessage: true
            }
        }

        /// Whether an identity token may travel so: not where servers log it.
        var mayCarryIdentityToken: Bool {
            switch self {
            case .query: false
            case .fragment, .formPost, .webMessage: true
            }
        }
    }
}
