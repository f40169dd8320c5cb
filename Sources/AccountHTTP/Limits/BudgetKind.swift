/// What is counted by itself: who has used up one of these can still do the others.
enum BudgetKind: Hashable, Sendable {
    /// Sign-ins by apps: signatures are checked and rows written.
    case signIn
    /// Sign-ins that browsers begin: a row each.
    case beginning
    /// What Apple has browsers post.
    case callback
    case challenge
    /// The pages of apps' authorizations and of waiting devices, and the calls that begin and end them.
    case authorization
    /// Handles and device codes that are redeemed: a device asks every few seconds.
    case redemption
    /// Refresh tokens that are refused; good ones cost nothing.
    case refusedRefresh
    /// Access tokens, and refresh tokens in their place, that are none of ours; good ones cost nothing, and those that
    /// are known already are taken whatever others have sent.
    case refusedToken
    /// Session cookies that are none of ours; good ones cost nothing, and those that are known already are taken
    /// whatever others have sent.
    case refusedCookie
    /// Handles of deletions that are none.
    case refusedHandle
    /// What is sent as a notification of Apple's and is none; Apple's own cost nothing.
    case refusedNotification
}
