import AccountService
import AppleIDTypes
import Foundation

/// One account as `--json` prints it; nothing known is absent.
struct AccountJSON: Encodable {
    struct Identity: Encodable {
        let id, provider, team, subject: String
        let email: NullableText
        let emailVerified, isPrivateEmail: Bool
        let appleAccess: String
        let appleAccessEndedAt, appleAccessEndReason, emailForwarding: NullableText
        let realUserStatus: NullableNumber
        let organizationID: NullableText
        let appleToken, createdAt, lastSignInAt: String
        let lastAuthorizedAt: NullableText
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
            let access = identity.access
            return Identity(
                id: identity.id.rawValue, provider: identity.provider, team: identity.team.rawValue,
                subject: identity.subject.rawValue, email: NullableText(identity.email),
                emailVerified: identity.emailVerified,
                isPrivateEmail: identity.isPrivateEmail, appleAccess: access.ended == nil ? "granted" : "ended",
                appleAccessEndedAt: NullableText((access.ended?.at).map(AccountReport.time)),
                appleAccessEndReason: NullableText(access.ended?.reason.rawValue),
                emailForwarding: NullableText(access.forwardsEmail.map { $0 ? "enabled" : "disabled" }),
                realUserStatus: NullableNumber(access.realUserStatus?.rawValue),
                organizationID: NullableText(access.organizationID), appleToken: identity.appleToken.rawValue,
                createdAt: AccountReport.time(identity.createdAt),
                lastSignInAt: AccountReport.time(identity.lastSignInAt),
                lastAuthorizedAt: NullableText(access.lastAuthorizedAt.map(AccountReport.time)))
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
