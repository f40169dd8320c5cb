/// What a person can tell Juice to do: a button, and the letter that presses it.
enum Command: Hashable, Sendable {
    case signIn, lookAgain, cancel, signOut, quit

    var letter: Character {
        switch self {
        case .signIn: "s"
        case .lookAgain: "r"
        case .cancel: "c"
        case .signOut: "o"
        case .quit: "q"
        }
    }
}
