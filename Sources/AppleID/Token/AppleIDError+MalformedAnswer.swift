extension AppleIDError {
    /// Whether it is that Apple's answer made no sense, or came of that, with tokens in the answer or without.
    package var isOfMalformedAnswer: Bool {
        if code == .malformedAnswer { return true }
        let behind = (cause as? UnverifiedGrant)?.cause ?? cause
        return (behind as? AppleIDError)?.code == .malformedAnswer
    }
}
