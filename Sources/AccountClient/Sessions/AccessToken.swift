/// An access token of the account service's, in memory only.
struct AccessToken: Sendable {
    var token: String
    var expiresAt: ContinuousClock.Instant

    /// A call takes time, and clocks differ.
    private static let margin = Duration.seconds(30)

    func isGood(at now: ContinuousClock.Instant) -> Bool {
        now + Self.margin <= expiresAt
    }
}
