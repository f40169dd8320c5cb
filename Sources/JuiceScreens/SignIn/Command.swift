import AccountClient

/// A command that a person can give Juice: a button, and the letter that presses it.
public enum Command: Hashable, Sendable {
    /// Signs in with another provider, which has this number, or adds a person there as a way in.
    case signInAt(Int, OfferedProvider), addAt(Int, OfferedProvider)
    case signIn, lookAgain, cancel, signOut, quit
    case sessions, endOthers, back, delete, confirmDeletion
    /// Ends the other session with this number in the list, from 1 to 9.
    case end(Int)
    case profile, editName, editContactEmail, editPhone
    case more, agree, disagree, consents, confirmWithdrawal
    /// Withdraws the consent with this number in the list, from 1 to 9.
    case withdraw(Int)
    case logIn, createAccount, forgotPassword, emailLink, openLink
    case useSaved, useOther, savePassword, dontSave
    case changePassword, upgrade, endElsewhere, keepElsewhere
    case waysIn, addApple, addAddress, enterLink, confirmRemoval, goOver, stay
    case merge, confirmMerge, keepBoth
    /// Removes the way in with this number in the list, from 1 to 9.
    case remove(Int)

    /// The key of a terminal that presses the button.
    package var letter: Character {
        switch self {
        case .signIn: "s"
        case .signInAt(let number, _), .addAt(let number, _): Self.providerLetters[number]
        case .lookAgain: "r"
        case .cancel: "c"
        case .signOut: "o"
        case .quit: "q"
        case .sessions, .logIn: "l"
        case .endOthers, .emailLink, .addAddress: "e"
        case .back: "b"
        case .delete: "d"
        case .confirmDeletion, .agree, .confirmWithdrawal, .useSaved, .savePassword, .endElsewhere: "y"
        case .confirmRemoval, .goOver, .confirmMerge: "y"
        case .end(let number), .withdraw(let number), .remove(let number): Character("\(number % 10)")
        case .profile: "p"
        case .editName, .disagree, .createAccount, .useOther, .dontSave, .keepElsewhere, .stay, .keepBoth: "n"
        case .editContactEmail, .addApple: "a"
        case .editPhone: "t"
        case .consents: "c"
        case .more, .openLink, .enterLink, .merge: "m"
        case .forgotPassword: "f"
        case .changePassword, .waysIn: "w"
        case .upgrade: "u"
        }
    }

    /// The keys of the providers, which no other button of the two screens has.
    static let providerLetters: [Character] = ["x", "y", "z"]
}

extension Command {
    /// The words on the button.
    public var title: String {
        switch self {
        case .signInAt(_, let provider): "Sign in with \(provider.name)"
        case .addAt(_, let provider): "Add \(provider.name)"
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
        case .profile: "Profile"
        case .editName: "Name"
        case .editContactEmail: "Contact Address"
        case .editPhone: "Phone"
        case .more: "Read on"
        case .agree: "Yes, I agree"
        case .disagree: "No"
        case .consents: "Consents"
        case .confirmWithdrawal: "Yes, withdraw it"
        case .withdraw(let number): "Withdraw \(number)"
        case .logIn: "Log In"
        case .createAccount: "Create Account"
        case .forgotPassword: "Forgot Password?"
        case .emailLink: "Email Me a Link"
        case .openLink: "Enter a Link"
        case .useSaved: "Yes, sign in"
        case .useOther: "No, another way"
        case .savePassword: "Yes, save it"
        case .dontSave: "No"
        case .changePassword: "Password"
        case .upgrade: "Upgrade to Apple"
        case .endElsewhere: "Yes, end them"
        case .keepElsewhere: "No, keep them"
        case .waysIn: "Ways In"
        case .addApple: "Add Apple Account"
        case .addAddress: "Add Email Address"
        case .enterLink: "Enter a Link"
        case .remove(let number): "Remove \(number)"
        case .confirmRemoval: "Yes, remove it"
        case .goOver: "Yes, go there"
        case .stay: "No, stay here"
        case .merge: "Make one account"
        case .confirmMerge: "Yes, make one"
        case .keepBoth: "No, keep both"
        }
    }

    /// Whether Esc presses it.
    public var isWayBack: Bool {
        switch self {
        case .cancel, .back, .disagree, .useOther, .dontSave, .stay, .keepBoth: true
        default: false
        }
    }

    /// Whether a terminal alone needs the button: views have fields for the profile's values, and close in their own way.
    var isForTerminal: Bool {
        switch self {
        case .quit, .editName, .editContactEmail, .editPhone: true
        default: false
        }
    }

    /// Whether it belongs to the form of the first screen.
    public var isOfForm: Bool {
        switch self {
        case .logIn, .createAccount, .forgotPassword, .emailLink, .openLink: true
        default: false
        }
    }

    #if canImport(Darwin)
        // Apple's button draws its title itself and does not tell it.
        private static let appleTitle = "Sign in with Apple"
    #else
        private static let appleTitle = ASAuthorizationAppleIDButton.ButtonType.default.title
    #endif
}
