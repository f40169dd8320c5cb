/// What is counted by itself: who has used up one of these can still do the others.
enum BudgetKind: Hashable, Sendable {
    /// Sign-ins by apps: signatures are checked and rows written.
    case signIn
    /// Sign-ins that browsers begin: a row each.
    case beginning
    /// What Apple has browsers post.
    case callback
    case challenge
    /// The calls and pages of apps' authorizations and of waiting devices.
    case authorization
    /// Refresh tokens that are refused; good ones cost nothing.
    case refusedRefresh
    /// What is sent as a notification of Apple's and is none; Apple's own cost nothing.
    case refusedNotification
}
