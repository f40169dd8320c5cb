import AccountClient

/// A notice for the person: on the login screen about how they got there, or as a remark on another screen.
public struct LoginNotice: Hashable, Sendable {
    /// A note reports a success; a problem reports a failure.
    public enum Kind: Hashable, Sendable {
        case note, problem
    }

    /// Whether something went wrong.
    public internal(set) var kind: Kind
    /// The notice, in sentences.
    public internal(set) var text: String
    /// Whether looking for the account once more may help.
    public internal(set) var canLookAgain = false

    /// The person did not want to sign in, which is no error.
    static let cancelled = LoginNotice(kind: .note, text: "You have not signed in.")

    static let sessionEnded = LoginNotice(kind: .note, text: "The session has ended. Please sign in again.")

    static let accountMerged = LoginNotice(
        kind: .note, text: "Your account was merged into another one of yours. Sign in again to use that.")

    static let notDeleted = LoginNotice(kind: .note, text: "Your account is not deleted.")
    /// After a deletion that the person gave up when it was on its way.
    static let mayStillBeDeleted = LoginNotice(
        kind: .note, text: "Your account is still there, but the deletion was on its way. It may still be deleted.")

    /// After a deletion that the person gave up too late.
    static let deletedAfterAll = LoginNotice(
        kind: .note, text: "Most likely your account is deleted: the deletion was on its way when you gave it up.")

    static let appleAccessEnded = LoginNotice(
        kind: .note, text: "You have stopped using Juice with your Apple Account. Sign in to use it again.")

    /// - Parameter removal: what the person has to do at Apple themselves; nil when the account service does it.
    static func deleted(removal: String?) -> LoginNotice {
        LoginNotice(
            kind: .note, text: "Your account is deleted. " + (removal ?? "Apple is told to end the authorization."))
    }

    /// After the deletion of an account that never was Apple's.
    static let deletedWithoutApple = LoginNotice(kind: .note, text: "Your account is deleted.")

    static func problem(_ text: String) -> LoginNotice {
        LoginNotice(kind: .problem, text: text)
    }
}

extension LoginNotice {
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

extension LoginNotice {
    /// Makes a notice; nil if nobody was signed in, or if the person signed out themselves.
    init?(_ reason: SignOutReason) {
        switch reason {
        case .ended: self = .sessionEnded
        case .accountMerged: self = .accountMerged
        case .appleAccessEnded: self = .appleAccessEnded
        default: return nil
        }
    }
}

extension ManualRemoval {
    /// The instructions and the page, on one line.
    var words: String { "\(message) \(url.absoluteString)" }
}

extension String {
    /// The text as a screen says it: error messages begin small and end bare.
    package var asSentence: String {
        let text = prefix(1).uppercased() + dropFirst()
        return text.hasSuffix(".") || text.hasSuffix("?") ? text : text + "."
    }
}
