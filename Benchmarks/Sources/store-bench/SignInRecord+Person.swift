import AccountService
import AppleIDTypes
import Foundation

extension SignInRecord {
    /// A sign-in as a phone brings it: a token and a nonce are used up.
    static func of(_ subject: Subject) -> Self {
        let now = Timestamp(Date())
        return Self(
            at: now,
            used: [.identityToken, .nonce].map {
                UsedCredential(kind: $0, hash: TokenHash(of: random(32)), expiresAt: now + .minutes(11))
            },
            person: Person(
                team: "BENCHTEAM1", subject: subject, email: "johnny@example.com",
                emailVerified: true, isPrivateEmail: false, realUserStatus: nil),
            newAccountID: AccountID(at: now, randomness: random(10)),
            newIdentityID: IdentityID(at: now, randomness: random(10)),
            name: PersonName(givenName: "Johnny", familyName: "Appleseed"), openPendingProfile: { _ in nil },
            appleToken: nil,
            session: NewSession(
                id: SessionID(at: now, randomness: random(10)), kind: .tokens, clientID: "com.example.juice",
                secretHash: TokenHash(of: random(32)), authenticatedAt: now, expiresAt: now + .days(30)),
            formerSession: nil)
    }

    private static func random(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }
}

extension Subject {
    /// Nobody's yet.
    static func new() -> Self { Subject("001999.\(UUID().uuidString)") }
}
