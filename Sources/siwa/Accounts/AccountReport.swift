import AccountService
import AppleIDTypes
import CommandIO
import Foundation

/// Accounts and sessions for people and for programs.
enum AccountReport {
    /// The line over a list.
    static let header = row("ID", "CREATED", "STATE", "EMAIL", "NAME")

    /// One line for a list. The list is printed as it is read, so the columns have fixed widths: a longer address pushes
    /// the name aside.
    static func line(_ account: ListedAccount) -> String {
        row(
            account.id.rawValue, String(time(account.createdAt).prefix(10)),
            account.disabledAt == nil ? "open" : "disabled",
            account.identities.compactMap(\.email).first.map { TextForPeople.quoted($0, limit: 80) } ?? "-",
            account.name.map { TextForPeople.quoted($0.formatted, limit: 80) } ?? "-")
    }

    private static func row(_ id: String, _ created: String, _ state: String, _ email: String, _ name: String) -> String
    {
        [(id, 30), (created, 10), (state, 8), (email, 36), (name, 0)].map { text, width in
            text + String(repeating: " ", count: max(0, width - text.count))
        }.joined(separator: "  ")
    }

    static func text(_ account: ListedAccount, ways: WaysIn, sessions: Int, history: [AuditEntry]) -> String {
        var lines = [
            "account    \(account.id)",
            "name       \(account.name.map { TextForPeople.quoted($0.formatted) } ?? "-")",
            "contact    \(contact(of: account))",
            "phone      \(account.phone.map { TextForPeople.quoted($0) } ?? "-")",
            "created    \(time(account.createdAt))",
            "state      \(account.disabledAt.map { "disabled since \(time($0))" } ?? "open")",
            "ways in    \(words(for: ways))",
            "sessions   \(sessions)",
        ]
        for identity in account.identities { lines += self.lines(for: identity) }
        if !history.isEmpty { lines.append("history") }
        lines += history.map { entry in
            let words = [
                "  \(time(entry.at))", entry.event.rawValue, entry.detail ?? "-", "by \(entry.actor.kind.rawValue)",
                entry.subject ?? "-", entry.actor.caller.address.map { TextForPeople.quoted($0, limit: 64) } ?? "-",
                entry.actor.caller.device.map { TextForPeople.quoted($0.rawValue) } ?? "",
            ]
            return words.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }

    /// The lines about an identity. Only one at Apple has facts of Apple's.
    private static func lines(for identity: ListedAccount.Identity) -> [String] {
        let address = identity.email.map {
            TextForPeople.quoted($0) + (identity.isPrivateEmail ? " (relay)" : "")
                + (identity.emailVerified ? "" : " (not verified)")
        }
        let isEmail = identity.provider == "email"
        let isApple = identity.provider == "apple"
        var lines = ["identity   \(identity.id)"]
        lines +=
            isEmail
            ? ["  \(identity.provider)"]
            : [
                isApple
                    ? "  \(identity.provider), team \(identity.team)"
                    : "  \(identity.provider), issuer \(TextForPeople.quoted(identity.team.rawValue))",
                "  sub      \(TextForPeople.quoted(identity.subject.rawValue))",
            ]
        lines += ["  address  \(address ?? "-")", "  last     \(time(identity.lastSignInAt))"]
        guard isApple else { return lines }
        lines += ["  access   \(access(identity.access))", "  token    \(identity.appleToken.rawValue)"]
        return lines + facts(identity.access)
    }

    private static func contact(of account: ListedAccount) -> String {
        let pending = account.pendingContactEmail.map { "\(TextForPeople.quoted($0)) (not confirmed)" }
        let words = [account.contactEmail.map { TextForPeople.quoted($0) }, pending].compactMap(\.self)
        return words.isEmpty ? "-" : words.joined(separator: ", ")
    }

    private static func words(for ways: WaysIn) -> String {
        let words = [
            ways.apple ? "Apple" : nil, ways.providers.isEmpty ? nil : ways.providers.joined(separator: ", "),
            ways.hasPassword ? "password\(ways.isOff ? " (off until it is reset)" : "")" : nil,
            ways.emailIdentity.map { "link by mail to \(TextForPeople.quoted($0))" },
        ].compactMap(\.self)
        return words.isEmpty ? "-" : words.joined(separator: ", ")
    }

    private static func access(_ access: AppleAccess) -> String {
        access.ended.map { "ended \(time($0.at)), \($0.reason.rawValue)" } ?? "granted"
    }

    /// Returns the facts that Apple has told, if any.
    private static func facts(_ access: AppleAccess) -> [String] {
        [
            access.forwardsEmail.map { "  mail     \($0 ? "forwarded" : "not forwarded")" },
            access.realUserStatus.map { "  real     \($0.rawValue)" },
            access.organizationID.map { "  org      \(TextForPeople.quoted($0, limit: 80))" },
        ].compactMap(\.self)
    }

    static func line(_ session: Session) -> String {
        [
            session.id.rawValue, session.kind.rawValue, time(session.createdAt), "used \(time(session.lastUsedAt))",
            "until \(time(session.expiresAt))", session.clientID.rawValue,
            session.deviceName.map { TextForPeople.quoted($0.rawValue) } ?? "-",
        ].joined(separator: "  ")
    }

    static func time(_ moment: Timestamp) -> String { moment.date.formatted(.iso8601) }
}

/// One account as `--json` prints it; nothing known is absent.
struct AccountJSON: Encodable {
    struct Identity: Encodable {
        let id, provider, team, subject: String
        let email: Nullable<String>
        let emailVerified, isPrivateEmail: Bool
        let appleAccess, appleAccessEndedAt, appleAccessEndReason, emailForwarding: Nullable<String>
        let realUserStatus: Nullable<Int>
        let organizationID: Nullable<String>
        let appleToken, createdAt, lastSignInAt: String
        let lastAuthorizedAt: Nullable<String>
    }

    struct Entry: Encodable {
        let at, event, actor: String
        let session: Nullable<String>
        let subject: Nullable<String>
        let detail: Nullable<String>
        let address: Nullable<String>
        let device: Nullable<String>
    }

    let id: String
    let name, contactEmail, pendingContactEmail, phone: Nullable<String>
    let createdAt: String
    let disabledAt: Nullable<String>
    let identities: [Identity]
    /// The ways to sign in, only if one account is shown.
    var waysIn: Ways?
    /// The number of sessions, only if one account is shown.
    var sessions: Int?
    var history: [Entry]?

    struct Ways: Encodable {
        let apple: Bool
        let email: Nullable<String>
        let hasPassword, passwordIsOff: Bool
        let providers: [String]

        init(_ ways: WaysIn) {
            apple = ways.apple
            email = Nullable(ways.emailIdentity)
            hasPassword = ways.hasPassword
            passwordIsOff = ways.isOff
            providers = ways.providers
        }
    }

    init(_ account: ListedAccount, ways: WaysIn? = nil, sessions: Int? = nil, history: [AuditEntry]? = nil) {
        id = account.id.rawValue
        name = Nullable(account.name?.formatted)
        contactEmail = Nullable(account.contactEmail)
        pendingContactEmail = Nullable(account.pendingContactEmail)
        phone = Nullable(account.phone)
        createdAt = AccountReport.time(account.createdAt)
        disabledAt = Nullable(account.disabledAt.map(AccountReport.time))
        identities = account.identities.map { identity in
            let access = identity.access
            return Identity(
                id: identity.id.rawValue, provider: identity.provider, team: identity.team.rawValue,
                subject: identity.subject.rawValue, email: Nullable(identity.email),
                emailVerified: identity.emailVerified,
                isPrivateEmail: identity.isPrivateEmail,
                appleAccess: Nullable(
                    identity.provider != "apple" ? nil : access.ended == nil ? "granted" : "ended"),
                appleAccessEndedAt: Nullable((access.ended?.at).map(AccountReport.time)),
                appleAccessEndReason: Nullable(access.ended?.reason.rawValue),
                emailForwarding: Nullable(access.forwardsEmail.map { $0 ? "enabled" : "disabled" }),
                realUserStatus: Nullable(access.realUserStatus?.rawValue),
                organizationID: Nullable(access.organizationID), appleToken: identity.appleToken.rawValue,
                createdAt: AccountReport.time(identity.createdAt),
                lastSignInAt: AccountReport.time(identity.lastSignInAt),
                lastAuthorizedAt: Nullable(access.lastAuthorizedAt.map(AccountReport.time)))
        }
        waysIn = ways.map(Ways.init)
        self.sessions = sessions
        self.history = history?.map { entry in
            Entry(
                at: AccountReport.time(entry.at), event: entry.event.rawValue, actor: entry.actor.kind.rawValue,
                session: Nullable(entry.actor.session?.rawValue), subject: Nullable(entry.subject),
                detail: Nullable(entry.detail),
                address: Nullable(entry.actor.caller.address),
                device: Nullable(entry.actor.caller.device?.rawValue))
        }
    }
}

/// One session as `--json` prints it.
struct SessionJSON: Encodable {
    let id, kind, clientID: String
    let deviceName: Nullable<String>
    let createdAt, lastUsedAt, expiresAt: String

    init(_ session: Session) {
        id = session.id.rawValue
        kind = session.kind.rawValue
        clientID = session.clientID.rawValue
        deviceName = Nullable(session.deviceName?.rawValue)
        createdAt = AccountReport.time(session.createdAt)
        lastUsedAt = AccountReport.time(session.lastUsedAt)
        expiresAt = AccountReport.time(session.expiresAt)
    }
}
