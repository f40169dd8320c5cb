import AccountService
import AppleIDTypes

extension Timestamp {
    static let start = Timestamp(secondsSince1970: 1_750_000_000)
}

extension SignInRecord {
    /// A sign-in of one person, every identifier of which ends in the number.
    static func numbered(_ number: Int, subject: Subject = "001999.person") -> SignInRecord {
        SignInRecord(
            at: .start,
            used: [
                UsedCredential(
                    kind: .identityToken, hash: TokenHash(of: "token \(number)"), expiresAt: .start + .minutes(11))
            ],
            person: Person(
                team: "TEAM000001", subject: subject, email: "johnny@example.com", emailVerified: true,
                isPrivateEmail: false, realUserStatus: .likelyReal),
            newAccountID: AccountID(rawValue: "acc_\(number)"), newIdentityID: IdentityID(rawValue: "idn_\(number)"),
            name: PersonName(givenName: "Johnny"), openPendingProfile: { _ in nil },
            appleToken: AppleToken(
                id: AppleTokenID(rawValue: "atk_\(number)"), clientID: "com.example.juice", sealed: [1, 2, 3],
                obtainedAt: .start),
            session: NewSession(
                id: SessionID(rawValue: "ses_\(number)"), kind: .tokens, clientID: "com.example.juice",
                secretHash: TokenHash(of: "secret \(number)"), authenticatedAt: .start, expiresAt: .start + .days(30)),
            formerSession: nil)
    }
}

extension PendingProfile {
    static func numbered(_ number: Int, bytes: Int = 8) -> PendingProfile {
        PendingProfile(
            team: "TEAM000001", subject: Subject("person.\(number)"), sealed: Array(repeating: 7, count: bytes),
            expiresAt: .start + .days(30))
    }
}
