/// What Juice shows.
enum Screen: Hashable, Sendable {
    /// At launch: is there an account already?
    case looking
    case login(Notice?)
    case waiting(Instruction, isCancelling: Bool)
    case result(Profile)
    case signingOut

    /// The buttons, in the order of the Tab key.
    var buttons: [Command] {
        switch self {
        case .looking, .signingOut: [.quit]
        case .login(let notice): notice?.canLookAgain == true ? [.signIn, .lookAgain, .quit] : [.signIn, .quit]
        case .waiting(_, let isCancelling): isCancelling ? [.quit] : [.cancel, .quit]
        case .result: [.signOut, .quit]
        }
    }

    /// What Return does before anything was chosen. Where the person could have pressed Return for the screen before
    /// this one, it does nothing.
    var firstFocus: Command? {
        if case .login = self { .signIn } else { nil }
    }

    /// Whether Juice works without the person here: what they type is for the screen that comes.
    var isBusy: Bool {
        switch self {
        case .looking, .signingOut: true
        case .login, .waiting, .result: false
        }
    }
}
