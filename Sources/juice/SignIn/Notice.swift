/// What the login screen has to say about how the person got there.
struct Notice: Hashable, Sendable {
    /// A note says what happened as it should; a problem did not let something happen.
    enum Kind: Hashable, Sendable {
        case note, problem
    }

    var kind: Kind
    var text: String
    /// Whether looking for the account once more may help.
    var canLookAgain = false

    /// The person did not want to sign in, which is no error.
    static let cancelled = Notice(kind: .note, text: "You have not signed in.")

    static let sessionEnded = Notice(kind: .note, text: "The session has ended. Please sign in again.")

    static let notDeleted = Notice(kind: .note, text: "Your account is not deleted.")

    static let appleAccessEnded = Notice(
        kind: .note, text: "You have stopped using Juice with your Apple Account. Sign in to use it again.")

    /// - Parameter removal: what the person has to do at Apple themselves; nil when the account service does it.
    static func deleted(removal: String?) -> Notice {
        Notice(kind: .note, text: "Your account is deleted. " + (removal ?? "Apple is told to end the authorization."))
    }

    static func problem(_ text: String) -> Notice {
        Notice(kind: .problem, text: text)
    }
}
