import AccountService
public import Testing

/// One rule that ``AccountStoreSuite`` checks, named by a sentence.
public struct AccountStoreCheck: Sendable, CustomTestStringConvertible {
    /// What a store does when it is right.
    public let sentence: String
    let body: @Sendable (any AccountStore) async throws -> Void

    init(_ sentence: String, _ body: @escaping @Sendable (any AccountStore) async throws -> Void) {
        self.sentence = sentence
        self.body = body
    }

    public var testDescription: String { sentence }

    /// Every check, by feature.
    public static let all: [Self] =
        ownership + housekeeping + texts + cancellation + attempts + spentThings + keptNames + people + appleTokens
        + signInRaces + authorizations + userCodes + redemption + authorizationRaces + sessions + rotation
        + rotationRaces + refreshAttempts + keys + audit + events
        + appleAccess + appleNotifications + news + dailyCheck + outbox + sessionList + keyRotation + directory
        + reauthentication + revocation + deletion + export + waitingCodes
        + withdrawal + echoes + personRaces + accountNotices + removal + lateTokens + lateOrders
}
