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
}

extension SQLStatement {
    /// The columns of identities that ``IdentityFacts`` takes; no other table has any of these names.
    static let identityFacts: Self = """
        email, email_verified, is_private_email, real_user_status, org_id, forwarding_on, last_authorized_at,
        access_ended_at, access_end_reason
        """
}
