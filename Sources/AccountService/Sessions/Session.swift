public import AppleIDTypes

/// One place where a person is signed in.
public struct Session: Hashable, Sendable {
    /// How the session is presented, and therefore where it is taken: a cookie on pages only, tokens under `/v1` only.
    public enum Kind: String, Hashable, Sendable {
        case browser
        case tokens
    }

    /// The session's identifier.
    public var id: SessionID
    /// The account that the session is signed in to.
    public var accountID: AccountID
    /// The identity whose sign-in opened the session.
    public var identityID: IdentityID
    /// Whether an app or a browser has the session.
    public var kind: Kind
    /// The app or Services ID through which the person signed in.
    public var clientID: ClientID
    /// When the session was opened.
    public var createdAt: Timestamp
    /// When the person last proved who they are.
    public var authenticatedAt: Timestamp
    /// When the session was last renewed, or used in a browser.
    public var lastUsedAt: Timestamp
    /// The session is dead from here on unless it is used before; never later than its absolute limit.
    public var expiresAt: Timestamp
    /// Whether the sign-in was proven by a nonce. A session without that proof never reauthenticates, links or deletes.
    public var hasNonceProof: Bool
    /// The device's name, as the client tells it; nil when it has not.
    public var deviceName: DeviceName?

    package init(
        id: SessionID, accountID: AccountID, identityID: IdentityID, kind: Kind, clientID: ClientID,
        createdAt: Timestamp, authenticatedAt: Timestamp, lastUsedAt: Timestamp, expiresAt: Timestamp,
        hasNonceProof: Bool = true, deviceName: DeviceName? = nil
    ) {
        self.id = id
        self.accountID = accountID
        self.identityID = identityID
        self.kind = kind
        self.clientID = clientID
        self.createdAt = createdAt
        self.authenticatedAt = authenticatedAt
        self.lastUsedAt = lastUsedAt
        self.expiresAt = expiresAt
        self.hasNonceProof = hasNonceProof
        self.deviceName = deviceName
    }
}

/// The name of a device, by its owner or its maker. Untrusted text that may name its owner.
public struct DeviceName: RawRepresentable, Hashable, Sendable, Redacted {
    /// One line of at most ``maximumLength`` Unicode scalars, without white space at its ends; never empty.
    public let rawValue: String

    /// The greatest number of Unicode scalars in a name; longer ones are cut.
    public static let maximumLength = 64

    /// Makes a name from the text that a store gives back.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Cleans a text that a client sent: on one line, without control characters and those that turn the
    /// direction of what stands around them, and cut where it is too long. Nil when nothing is left.
    public init?(cleaning text: String) {
        var clean = ""
        var length = 0
        var spaceIsDue = false
        for character in text {
            if character.isWhitespace {
                spaceIsDue = !clean.isEmpty
                continue
            }
            let kept = character.unicodeScalars.filter { !$0.isLeftOutOfNames }
            guard !kept.isEmpty else { continue }
            let added = kept.count + (spaceIsDue ? 1 : 0)
            guard length + added <= Self.maximumLength else { break }
            if spaceIsDue { clean.append(" ") }
            clean.unicodeScalars.append(contentsOf: kept)
            length += added
            spaceIsDue = false
        }
        // Joiners alone show nothing.
        guard !clean.unicodeScalars.allSatisfy(\.isJoiner) else { return nil }
        rawValue = clean
    }
}

/// How long sessions and what belongs to them live.
public struct SessionLimits: Hashable, Sendable {
    /// An access token: short, because other services trust it without asking.
    package static let accessToken: Duration = .minutes(10)
    /// The longest ``refreshGrace``.
    public static let maximumRefreshGrace: Duration = .seconds(300)

    /// A session that is not used for this long is over. Default: 30 days.
    public var idle: Duration
    /// A session is over this long after the sign-in, used or not. Default: 180 days.
    public var absolute: Duration
    /// How long the same refresh token gets the same answer again, for a client whose answer was lost and that sent no
    /// attempt. Default: 30 seconds; never more than ``maximumRefreshGrace``, because a thief's repeat goes unnoticed
    /// for as long.
    public var refreshGrace: Duration {
        didSet { refreshGrace = min(refreshGrace, Self.maximumRefreshGrace) }
    }

    /// Sets the limits; the defaults are those of ``SessionLimits``.
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
