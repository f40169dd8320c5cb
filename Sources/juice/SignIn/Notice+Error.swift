import AccountClient

extension Notice {
    init(_ error: any Error, canLookAgain: Bool = false) {
        guard let error = error as? AccountClientError else {
            self = .problem("Something went wrong: \(error)")
            return
        }
        guard error.code != .cancelled else {
            self = .cancelled
            return
        }
        let text = [error.reason, error.hint].compactMap { $0?.asSentence }.joined(separator: " ")
        self.init(kind: .problem, text: text, canLookAgain: canLookAgain)
    }
}

extension Notice {
    /// nil when there is nothing to say: nobody was signed in, or they have left by themselves.
    init?(_ reason: SignOutReason) {
        switch reason {
        case .ended: self = .sessionEnded
        case .appleAccessEnded: self = .appleAccessEnded
        default: return nil
        }
    }
}

extension String {
    /// As a screen says it: error messages begin small and end bare.
    var asSentence: String {
        let text = prefix(1).uppercased() + dropFirst()
        return text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
    }
}
