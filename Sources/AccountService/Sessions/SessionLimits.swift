/// How long sessions and what belongs to them live.
public struct SessionLimits: Hashable, Sendable {
    /// An access token: short, because other services trust it without asking.
    public static let accessToken: Duration = .minutes(10)
    /// The longest ``refreshGrace``.
    public static let maximumRefreshGrace: Duration = .seconds(300)

    /// A session that is not used for this long is over. Default: 30 days.
    public var idle: Duration
    /// A session is over this long after the sign-in, used or not. Default: 180 days.
    public var absolute: Duration
    /// How long the same refresh token gets the same answer again, for a client whose answer was lost and that sent no
    /// ``RefreshAttempt``. Default: 30 seconds; never more than ``maximumRefreshGrace``, because a thief's repeat goes
    /// unnoticed for as long.
    public var refreshGrace: Duration {
        didSet { refreshGrace = min(refreshGrace, Self.maximumRefreshGrace) }
    }

    public init(
        idle: Duration = .seconds(30 * 86_400), absolute: Duration = .seconds(180 * 86_400),
        refreshGrace: Duration = .seconds(30)
    ) {
        self.idle = idle
        self.absolute = absolute
        self.refreshGrace = min(refreshGrace, Self.maximumRefreshGrace)
    }

    /// When a session that is used now dies.
    func expiry(usedAt: Timestamp, createdAt: Timestamp) -> Timestamp {
        min(usedAt + idle, createdAt + absolute)
    }
}
