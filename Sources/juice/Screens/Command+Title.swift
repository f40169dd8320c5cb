import AccountClient

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
