import AccountAPI

/// Everything that a client stores: the session, and names that the account service doesn't have yet. It holds no identity
/// token, authorization code, nonce or access token.
struct StoredRecord: Hashable, Sendable {
    var session: StoredSession?
    /// The session before, if it ended because of Apple.
    var ended: EndedSession?
    /// The id of the account that has taken the place of the last one, if that was merged; nil once somebody signs in.
    var mergedInto: String?
    /// Oldest first.
    var pendingNames: [PendingName] = []

    /// The number of people whose names are kept until a sign-in of theirs succeeds.
    private static let pendingLimit = 4

    var isEmpty: Bool { session == nil && ended == nil && mergedInto == nil && pendingNames.isEmpty }

    /// The name that Apple told of this person and the account service has not taken yet.
    func pendingName(of user: String) -> FullName? {
        pendingNames.last { $0.user == user }?.name
    }

    mutating func keepPending(_ name: FullName, of user: String) {
        forgetPendingName(of: user)
        pendingNames.append(PendingName(user: user, name: name))
        if pendingNames.count > Self.pendingLimit { pendingNames.removeFirst() }
    }

    mutating func forgetPendingName(of user: String) {
        pendingNames.removeAll { $0.user == user }
    }

    /// Adopts the changes that another process has made to its pending names since this client looked.
    ///
    /// Names that this record has added or forgotten since then stay added or forgotten. If both have changed the name of one
    /// person, this record's counts. But a name that the other process has stored is never forgotten here unseen: Apple tells
    /// it once.
    /// - Parameters:
    ///   - lastSeen: the record from which this one was made: the content of storage at that time.
    ///   - stored: the content of storage now.
    mutating func joinPendingNames(lastSeen: StoredRecord, with stored: StoredRecord) {
        let own = self
        pendingNames = stored.pendingNames.filter { other in
            own.pendingName(of: other.user) != nil || lastSeen.pendingName(of: other.user) != other.name
        }
        for pending in own.pendingNames where lastSeen.pendingName(of: pending.user) != pending.name {
            keepPending(pending.name, of: pending.user)
        }
    }
}

extension StoredRecord {
    /// This record as it is to be stored, where another process may have stored something meanwhile.
    ///
    /// If another process has changed the session since this client looked, its change stays: it has renewed the session,
    /// signed the person out, or signed somebody in. Of a session of the same account, each process's changes stay: see
    /// ``StoredSession/join(lastSeen:with:)``. Names that another process has stored stay too.
    /// - Parameters:
    ///   - lastSeen: the record that storage had when this client read or wrote it last; empty before.
    ///   - stored: the content of storage; nil if nobody can read it. It must stay there until this record is written.
    func joined(lastSeen: StoredRecord, with stored: StoredRecord?) -> StoredRecord {
        guard let stored else { return self }
        var record = self
        record.joinPendingNames(lastSeen: lastSeen, with: stored)
        let isChanged = stored.session?.refreshToken != lastSeen.session?.refreshToken
        if let session, let other = stored.session, other.account.id == session.account.id {
            if isChanged { record.session?.refreshToken = other.refreshToken }
            // Two processes that renew the same token do so with the same attempt.
            if isChanged || other.refreshToken == session.refreshToken && other.attempt != nil {
                record.session?.attempt = other.attempt
            }
            if let seen = lastSeen.session, seen.account.id == other.account.id {
                record.session?.join(lastSeen: seen, with: other)
            }
        } else if isChanged {
            (record.session, record.ended, record.mergedInto) = (stored.session, stored.ended, stored.mergedInto)
        }
        return record
    }

    /// This record as it is to be stored in place of any session, because somebody has signed in or out in this process. Of
    /// another process's record, the pending names alone stay.
    /// - Parameters:
    ///   - lastSeen: the record that storage had when this client read or wrote it last; empty before.
    ///   - stored: the content of storage; nil if nobody can read it.
    func replacing(lastSeen: StoredRecord, _ stored: StoredRecord?) -> StoredRecord {
        guard let stored else { return self }
        var record = self
        record.joinPendingNames(lastSeen: lastSeen, with: stored)
        return record
    }
}

/// A session at the account service.
struct StoredSession: Hashable, Sendable, Codable {
    /// Apple's identifier of the person; nil when they have signed in without Apple.
    var user: String?
    var refreshToken: String
    /// The attempt that accompanies each request to refresh ``refreshToken``. The client stores it before the first
    /// request, so that it can ask for a lost answer again, however late. It is nil before the first request and in
    /// records of older versions.
    var attempt: String?
    /// The account, as the account service last told it: for a start without a network.
    var account: AccountBody
    /// The device's name, as the account service has it; nil if it has none.
    var deviceName: String?
    /// The state of the person's credential at Apple, as the account service last told it.
    var standing: AppleStanding?

    /// Adopts the changes that another process has made to this session since this client looked, except the refresh token and
    /// its attempt. If both have changed a value, this session's counts.
    /// - Parameters:
    ///   - lastSeen: the session from which this one was made: the content of storage at that time.
    ///   - other: the content of storage now.
    mutating func join(lastSeen: StoredSession, with other: StoredSession) {
        if user == lastSeen.user { user = other.user }
        if account == lastSeen.account { account = other.account }
        if deviceName == lastSeen.deviceName { deviceName = other.deviceName }
        if standing == lastSeen.standing { standing = other.standing }
    }
}

/// A session that the account service has ended, and what is known of its person. If it ended because of Apple, its
/// last refresh token can still ask about that, and is good for nothing else.
struct EndedSession: Hashable, Sendable, Codable {
    var user: String?
    var refreshToken: String
    /// nil while the account service could not be asked.
    var standing: AppleStanding?
}

/// The state of a credential, and when the account service has told it.
struct AppleStanding: Hashable, Sendable, Codable {
    /// A word of the account service's.
    var state: String
    /// The time by this device's clock, in seconds since 1970.
    var askedAt: Int64
    /// The SHA-256 of the person's `transfer_sub`, in hexadecimal digits, if the app has moved to another team.
    var transferSubjectHash: String?
}

/// A name that Apple told once.
struct PendingName: Hashable, Sendable, Codable {
    var user: String
    var name: FullName
}

extension StoredRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case session, ended, mergedInto, pendingNames
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        session = try container.decodeIfPresent(StoredSession.self, forKey: .session)
        ended = try container.decodeIfPresent(EndedSession.self, forKey: .ended)
        mergedInto = try container.decodeIfPresent(String.self, forKey: .mergedInto)
        pendingNames = try container.decodeIfPresent([PendingName].self, forKey: .pendingNames) ?? []
    }
}

extension StoredSession {
    /// Whether the person signs in with Apple, as far as this device knows. They may have gone over to Apple on another.
    var isByApple: Bool { user != nil || account.waysIn?.apple == true }
}

extension EndedSession {
    init(_ session: StoredSession, _ standing: AppleStanding?) {
        self.init(user: session.user, refreshToken: session.refreshToken, standing: standing)
    }
}
