/// How long sessions and what belongs to them live.
public struct SessionLimits: Hashable, Sendable {
    /// An access token: short, because other services trust it without asking.
    public static let accessToken: Duration = .minutes(10)
    /// How long the same refresh token gets the same answer again, for a client whose answer was lost.
    public static let refreshGrace: Duration = .seconds(30)

    /// A session that is not used for this long is over. Default: 30 days.
    public var idle: Duration
    /// A session is over this long after the sign-in, used or not. Default: 180 days.
    public var absolute: Duration

    public init(idle: Duration = .seconds(30 * 86_400), absolute: Duration = .seconds(180 * 86_400)) {
        self.idle = idle
        self.absolute = absolute
    }

    /// When a session that is used now dies.
    func expiry(usedAt: Timestamp, createdAt: Timestamp) -> Timestamp {
        min(usedAt + idle, createdAt + absolute)
    }
}
