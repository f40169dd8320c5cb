import AccountAPI

/// All that a client keeps: who is signed in, and names that the account service does not have yet. No identity token,
/// authorization code, nonce or access token.
struct StoredRecord: Hashable, Sendable {
    var session: StoredSession?
    /// Oldest first.
    var pendingNames: [PendingName] = []

    /// More people than this do not fail their first sign-in on one device before one of them succeeds.
    private static let pendingLimit = 4

    var isEmpty: Bool { session == nil && pendingNames.isEmpty }

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
}

/// A session at the account service.
struct StoredSession: Hashable, Sendable, Codable {
    /// Apple's identifier of the person.
    var user: String
    var refreshToken: String
    /// As the account service last told it, for a start without a network.
    var account: AccountBody
}

/// A name that Apple told once.
struct PendingName: Hashable, Sendable, Codable {
    var user: String
    var name: FullName
}

extension StoredRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case session, pendingNames
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        session = try container.decodeIfPresent(StoredSession.self, forKey: .session)
        pendingNames = try container.decodeIfPresent([PendingName].self, forKey: .pendingNames) ?? []
    }
}
