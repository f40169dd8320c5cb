import AccountDatabase
import AppleIDTypes

extension SQLConnection {
    /// Takes away what is known of the person of an Apple identity: their Apple Account is gone, or opens this account no
    /// more.
    func removeIdentity(_ identity: IdentityID, at now: Timestamp) throws {
        let person = try first(.personOfIdentity, [.id(identity)]) { columns in
            try (team: TeamID(columns.text()), subject: Subject(columns.text()))
        }
        if let person {
            try removePendingProfile(team: person.team, subject: person.subject)
            try hashSubject(person.subject, team: person.team)
        }
        try markRemoved(identity, at: now)
    }

    /// Empties the row of an identity. The row stays, because the sessions that it opened name it; its subject becomes one
    /// that no person has.
    func markRemoved(_ identity: IdentityID, at moment: Timestamp) throws {
        eraseRemoved()
        // The relay address is gone with its person.
        try withdrawRelayMails(to: identity, at: moment)
        try removeTransfers(of: identity)
        try execute(
            .removeIdentity, [.id(identity), .text("removed " + identity.rawValue), .flag(false), .time(moment)])
    }
}

extension SQLStatement {
    fileprivate static let personOfIdentity: Self = "SELECT team, subject FROM identities WHERE id = ?1"
    fileprivate static let removeIdentity: Self = """
        UPDATE identities SET subject = ?2, email = NULL, email_form = NULL, email_verified = ?3, is_private_email = ?3,
            real_user_status = NULL, org_id = NULL, forwarding_on = NULL, removed_at = ?4
        WHERE id = ?1
        """
}
