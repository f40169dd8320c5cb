/// What the world is to do for Juice.
enum Effect: Hashable, Sendable {
    case findAccount
    case signIn
    case cancelSignIn
    case signOut
    /// Stops until the shell wakes Juice.
    case suspend
    /// Takes the terminal again.
    case resume
    case exit(status: Int32)
}
