import AccountService
import AppleIDTypes

/// What an identity's row says of its person.
struct IdentityFacts {
    var email: String?
    var isVerified: Bool
    var isPrivate: Bool
    var access: AppleAccess

    /// Of ``SQLStatement/identityFacts``.
    init(_ columns: inout SQLColumns) throws {
        email = try columns.optionalText()
        isVerified = try columns.flag()
        isPrivate = try columns.flag()
        access = AppleAccess()
        access.realUserStatus = try columns.optionalInt64().map { RealUserStatus(rawValue: Int($0)) }
        access.organizationID = try columns.optionalText()
        access.forwardsEmail = try columns.optionalFlag()
        access.lastAuthorizedAt = try columns.optionalTime()
        let endedAt = try columns.optionalTime()
        let reason = try columns.optionalText().map(SessionEndReason.init(rawValue:))
        if let endedAt, let reason {
            access.ended = AppleAccess.End(at: endedAt, reason: reason)
        }
    }

    /// These facts once ``SQLConnection/authorize(_:of:_:_:at:)`` has written what a credential says.
    func authorized(_ person: SignInRecord.Person, _ proof: AppleProof) -> Self {
        var facts = self
        if let email = person.email {
            // By bytes, as the database compares: two spellings of one character are two addresses there.
            if facts.email?.utf8.elementsEqual(email.utf8) != true { facts.access.forwardsEmail = nil }
            facts.email = email
            facts.isVerified = person.emailVerified
            facts.isPrivate = person.isPrivateEmail
        }
        facts.access.realUserStatus = person.realUserStatus ?? access.realUserStatus
        facts.access.organizationID = person.organizationID ?? access.organizationID
        facts.access.lastAuthorizedAt = max(proof.authorizedAt, access.lastAuthorizedAt ?? proof.authorizedAt)
        facts.access.ended = nil
        return facts
    }
}

extension SQLStatement {
    /// The columns of identities that ``IdentityFacts`` takes; no other table has any of these names.
    static let identityFacts: Self = """
        email, email_verified, is_private_email, real_user_status, org_id, forwarding_on, last_authorized_at,
        access_ended_at, access_end_reason
        """
}
