import AccountService
import AppleIDTypes
import Foundation

/// Accounts and sessions for people and for programs.
enum AccountReport {
    /// The line over a list.
    static let header = row("ID", "CREATED", "STATE", "EMAIL", "NAME")

    /// One line for a list. The list is printed as it is read, so the columns have fixed widths: a longer address pushes
    /// the name aside.
    static func line(_ account: AccountRecord) -> String {
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

    static func text(_ account: AccountRecord, sessions: Int, history: [AuditEntry]) -> String {
        var lines = [
            "account    \(account.id)",
            "name       \(account.name.map { TextForPeople.quoted($0.formatted) } ?? "-")",
            "created    \(time(account.createdAt))",
            "state      \(account.disabledAt.map { "disabled since \(time($0))" } ?? "open")",
            "sessions   \(sessions)",
        ]
        for identity in account.identities {
            let address = identity.email.map {
                TextForPeople.quoted($0) + (identity.isPrivateEmail ? " (relay)" : "")
                    + (identity.emailVerified ? "" : " (not verified)")
            }
            lines += [
                "identity   \(identity.id)", "  \(identity.provider), team \(identity.team)",
                "  sub      \(TextForPeople.quoted(identity.subject.rawValue))", "  address  \(address ?? "-")",
                "  last     \(time(identity.lastSignInAt))", "  access   \(access(identity.access))",
                "  token    \(identity.appleToken.rawValue)",
            ]
            lines += facts(identity.access)
        }
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

    private static func access(_ access: AppleAccess) -> String {
        access.ended.map { "ended \(time($0.at)), \($0.reason.rawValue)" } ?? "granted"
    }

    /// What Apple has said, if it has.
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
