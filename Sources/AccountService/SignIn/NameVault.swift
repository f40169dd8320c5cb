import AccountDatabase
import AppleID
package import AppleIDTypes
import Foundation
import Logging

/// Keeps names that Apple gave once, sealed, until a sign-in has written them into an account.
struct NameVault: Sendable {
    static let lifetime: Duration = .days(30)

    let store: AccountTransactions
    let seal: Seal
    let finishing: FinishingWork
    let environment: AppleIDEnvironment
    let logger: Logger

    /// Keeps a name, with the address in Apple's token, in place of one kept before.
    func keep(_ name: PersonName, of identity: VerifiedIdentity, team: TeamID, at moment: Timestamp) async throws {
        try await store.keepPendingProfile(try sealed(name, of: identity, team: team, at: moment))
    }

    /// Keeps a name for a person who has none, and uses up the token it came with.
    ///
    /// Nobody waits for it, so a store that does not answer is asked again.
    func keepIfNone(
        _ name: PersonName, of identity: VerifiedIdentity, team: TeamID, spending token: [UsedCredential],
        at moment: Timestamp
    ) async throws {
        let profile = try sealed(name, of: identity, team: team, at: moment)
        do {
            _ = try await store.keepPendingProfileIfNameless(profile, spending: token, at: moment)
        } catch let error as AccountError where error.code == .unavailable {
            do {
                _ = try await environment.repeating {
                    try await store.keepPendingProfileIfNameless(profile, spending: token, at: moment)
                }
            } catch let error as AccountError where error.code == .alreadyUsed {
                // A write whose end was unknown has been done.
            }
        }
    }

    /// Decrypts a pending profile. Returns nil, and logs an error, if that fails: the profile stays in the store.
    func open(_ pending: PendingProfile) -> OpenedProfile? {
        do {
            return try seal.open(pending)
        } catch {
            logger.error(
                "A pending profile cannot be decrypted. It stays in the store.", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private func sealed(
        _ name: PersonName, of identity: VerifiedIdentity, team: TeamID, at moment: Timestamp
    ) throws -> PendingProfile {
        let address = identity.email.map { email in
            OpenedProfile.Address(
                email: email, isVerified: identity.isEmailVerified, isPrivate: identity.isPrivateEmail)
        }
        let subject = identity.subject
        return PendingProfile(
            team: team, subject: subject,
            sealed: try seal.seal(OpenedProfile(name: name, address: address), team: team, subject: subject),
            expiresAt: moment + Self.lifetime)
    }
}

/// A name that Apple gave once, with the address that came beside it, kept sealed until the sign-in it came with, or a
/// later one, succeeds.
package struct PendingProfile: Hashable, Sendable {
    package var team: TeamID
    package var subject: Subject
    package var sealed: [UInt8]
    package var expiresAt: Timestamp

    package init(team: TeamID, subject: Subject, sealed: [UInt8], expiresAt: Timestamp) {
        self.team = team
        self.subject = subject
        self.sealed = sealed
        self.expiresAt = expiresAt
    }
}

/// The name and address in a pending profile, decrypted. Apple may give them only once.
public struct OpenedProfile: Hashable, Sendable {
    /// An address of Apple's own token, never one that a client merely says.
    public struct Address: Hashable, Sendable, Codable {
        /// The address, real or relay.
        public var email: String
        /// Whether Apple says that the address is verified.
        public var isVerified: Bool
        /// Whether the address is a relay address.
        public var isPrivate: Bool

        package init(email: String, isVerified: Bool, isPrivate: Bool) {
            self.email = email
            self.isVerified = isVerified
            self.isPrivate = isPrivate
        }
    }

    /// The name that the person gave Apple.
    public var name: PersonName?
    /// The address, taken only where the later sign-in brings none.
    public var address: Address?

    package init(name: PersonName?, address: Address? = nil) {
        self.name = name
        self.address = address
    }
}

extension Seal {
    private struct SealedProfile: Codable {
        var parts: [String?]
        var address: OpenedProfile.Address?
    }

    /// Seals name and address for one person as one team sees them.
    func seal(_ profile: OpenedProfile, team: TeamID, subject: Subject) throws -> [UInt8] {
        let profile = SealedProfile(parts: profile.name?.parts ?? [], address: profile.address)
        return try seal(Array(try JSONEncoder().encode(profile)), row: Self.row(team, subject))
    }

    func open(_ pending: PendingProfile) throws -> OpenedProfile {
        let json = try open(pending.sealed, row: Self.row(pending.team, pending.subject))
        let profile = try JSONDecoder().decode(SealedProfile.self, from: Data(json))
        return OpenedProfile(name: PersonName(parts: profile.parts), address: profile.address)
    }

    private static func row(_ team: TeamID, _ subject: Subject) -> String {
        team.rawValue + "/" + subject.rawValue
    }
}

extension AccountTransactions {
    /// Keeps a person's pending profile, in place of one kept before.
    package func keepPendingProfile(_ profile: PendingProfile) async throws {
        try await write { try $0.keep(profile) }
    }

    /// Keeps the pending profile of a person who has no name: neither in an account, nor in a pending profile that has not
    /// expired. Notes that the token it came with is used.
    ///
    /// Throws ``AccountError/Code/alreadyUsed`` like ``signIn(_:)``; then nothing is written.
    /// - Returns: whether it is kept. If the person has a name, nothing is written.
    package func keepPendingProfileIfNameless(
        _ profile: PendingProfile, spending used: [UsedCredential], at: Timestamp
    ) async throws -> Bool {
        let person = TokenHash.person(team: profile.team, subject: profile.subject)
        return try await write { connection in
            try connection.lock(person: person)
            let hasName = try connection.returnsRow(
                .findName, [.text(profile.team), .text(profile.subject), .time(at)])
            guard !hasName else { return false }
            try connection.markUsed(used, at: at)
            try connection.keep(profile)
            return true
        }
    }
}

extension SQLConnection {
    fileprivate func keep(_ profile: PendingProfile) throws {
        try executeLater(
            .keepPendingProfile,
            [.text(profile.team), .text(profile.subject), .bytes(profile.sealed), .time(profile.expiresAt)])
    }

    func removePendingProfile(team: TeamID, subject: Subject) throws {
        try executeLater(.removePendingProfile, [.text(team), .text(subject)])
    }

    /// The pending profile of a person, expired or not.
    func pendingProfile(team: TeamID, subject: Subject) throws -> PendingProfile? {
        try first(.pendingProfile, [.text(team), .text(subject)]) { columns in
            try PendingProfile(team: team, subject: subject, sealed: columns.bytes(), expiresAt: columns.time())
        }
    }
}

extension SQLStatement {
    fileprivate static let keepPendingProfile: Self = """
        INSERT INTO kept_names (team, subject, sealed, expires_at) VALUES (?1, ?2, ?3, ?4)
        ON CONFLICT (team, subject) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at
        """
    /// A name of the person's: the account's, also one that they removed, or that of a pending profile that counts.
    fileprivate static let findName: Self = """
        SELECT team FROM kept_names WHERE team = ?1 AND subject = ?2 AND expires_at > ?3
        UNION ALL
        SELECT i.team FROM identities i JOIN accounts a ON a.id = i.account_id
        WHERE i.provider = 'apple' AND i.team = ?1 AND i.subject = ?2
            AND (a.name_typed_at IS NOT NULL
                OR coalesce(a.given_name, a.family_name, a.middle_name, a.name_prefix, a.name_suffix, a.nickname)
                    IS NOT NULL)
        """
    fileprivate static let pendingProfile: Self = """
        SELECT sealed, expires_at FROM kept_names WHERE team = ?1 AND subject = ?2
        """
    fileprivate static let removePendingProfile: Self = """
        DELETE FROM kept_names WHERE team = ?1 AND subject = ?2
        """
}
