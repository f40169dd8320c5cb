/// What the world is to do for Juice.
enum Effect: Hashable, Sendable {
    case findAccount
    case signIn
    case cancelSignIn
    case signOut
    /// Whether the person still uses Juice with their Apple Account.
    case askAppleState
    case listSessions
    case endSession(id: String)
    case endOtherSessions
    case deleteAccount
    case cancelDeletion
    /// Stops until the shell wakes Juice.
    case suspend
    /// Takes the terminal again.
    case resume
    case exit(status: Int32)
}
