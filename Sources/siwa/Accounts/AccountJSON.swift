import AccountService
import AppleIDTypes
import Foundation

/// One account as `--json` prints it; nothing known is absent.
struct AccountJSON: Encodable {
    struct Identity: Encodable {
        let id, provider, team, subject: String
        let email: NullableText
        let emailVerified, isPrivateEmail: Bool
        let createdAt, lastSignInAt: String
    }

    struct Entry: Encodable {
        let at, event, actor: String
        let session: NullableText
        let subject: NullableText
        let detail: NullableText
        let address: NullableText
        let device: NullableText
    }

    let id: String
    let name: NullableText
    let createdAt: String
    let disabledAt: NullableText
    let identities: [Identity]
    /// Only where one account is shown.
    var sessions: Int?
    var history: [Entry]?

    init(_ account: AccountRecord, sessions: Int? = nil, history: [AuditEntry]? = nil) {
        id = account.id.rawValue
        name = NullableText(account.name?.formatted)
        createdAt = AccountReport.time(account.createdAt)
        disabledAt = NullableText(account.disabledAt.map(AccountReport.time))
        identities = account.identities.map { identity in
            Identity(
                id: identity.id.rawValue, provider: identity.provider, team: identity.team.rawValue,
                subject: identity.subject.rawValue, email: NullableText(identity.email),
                emailVerified: identity.emailVerified,
                isPrivateEmail: identity.isPrivateEmail, createdAt: AccountReport.time(identity.createdAt),
                lastSignInAt: AccountReport.time(identity.lastSignInAt))
        }
        self.sessions = sessions
        self.history = history?.map { entry in
            Entry(
                at: AccountReport.time(entry.at), event: entry.event.rawValue, actor: entry.actor.kind.rawValue,
                session: NullableText(entry.actor.session?.rawValue), subject: NullableText(entry.subject),
                detail: NullableText(entry.detail),
                address: NullableText(entry.actor.caller.address),
                device: NullableText(entry.actor.caller.device?.rawValue))
        }
    }
}

/// One session as `--json` prints it.
struct SessionJSON: Encodable {
    let id, kind, clientID: String
    let deviceName: NullableText
    let createdAt, lastUsedAt, expiresAt: String

    init(_ session: Session) {
        id = session.id.rawValue
        kind = session.kind.rawValue
        clientID = session.clientID.rawValue
        deviceName = NullableText(session.deviceName?.rawValue)
        createdAt = AccountReport.time(session.createdAt)
        lastUsedAt = AccountReport.time(session.lastUsedAt)
        expiresAt = AccountReport.time(session.expiresAt)
    }
}

/// A text that is written as null when it is not known, rather than left out.
struct NullableText: Encodable {
    let text: String?

    init(_ text: String?) {
        self.text = text
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Encodable {
    /// On one line, or spread over several for people.
    func jsonText(isSpread: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isSpread { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
