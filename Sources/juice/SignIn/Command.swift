import AccountClient

/// A command that a person can give Juice: a button, and the letter that presses it.
enum Command: Hashable, Sendable {
    case signIn, lookAgain, cancel, signOut, quit
    case sessions, endOthers, back, delete, confirmDeletion
    /// Ends the other session with this number in the list, from 1 to 9.
    case end(Int)

    var letter: Character {
        switch self {
        case .signIn: "s"
        case .lookAgain: "r"
        case .cancel: "c"
        case .signOut: "o"
        case .quit: "q"
        case .sessions: "l"
        case .endOthers: "e"
        case .back: "b"
        case .delete: "d"
        case .confirmDeletion: "y"
        case .end(let number): Character("\(number % 10)")
        }
    }
}

extension Command {
    var title: String {
        switch self {
        case .signIn: Self.appleTitle
        case .lookAgain: "Look again"
        case .cancel: "Cancel"
        case .signOut: "Sign Out"
        case .quit: "Quit"
        case .sessions: "Sessions"
        case .endOthers: "End all others"
        case .back: "Back"
        case .delete: "Delete Account"
        case .confirmDeletion: "Yes, delete it"
        case .end(let number): "End \(number)"
        }
    }

    #if canImport(Darwin)
        // Apple's button draws its title itself and does not tell it.
        private static let appleTitle = "Sign in with Apple"
    #else
        private static let appleTitle = ASAuthorizationAppleIDButton.ButtonType.default.title
    #endif
}
