package import AccountService
package import AppleIDTypes
import Foundation
import Testing

extension Timestamp {
    /// The time at which the tests' stories begin.
    package static let start = Timestamp(secondsSince1970: 1_750_000_000)
}

extension ResourceID {
    /// An identifier that no other sample has.
    package static func sample(at moment: Timestamp = .start) -> Self {
        Self(at: moment, randomness: (0..<10).map { _ in UInt8.random(in: .min ... .max) })
    }
}

extension TokenHash {
    /// A hash that no other sample has.
    package static func sample() -> TokenHash {
        TokenHash(of: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }
}

extension UsedCredential {
    /// A note of use that no other sample has.
    package static func sample(_ kind: Kind = .identityToken, expiresAt: Timestamp = .start + .minutes(11))
        -> UsedCredential
    {
        UsedCredential(kind: kind, hash: .sample(), expiresAt: expiresAt)
    }
}

extension PersonName {
    /// `Johnny Appleseed`, with any part replaced.
    package static func sample(_ givenName: String = "Johnny", _ familyName: String? = "Appleseed") throws -> PersonName
    {
        try #require(PersonName(givenName: givenName, familyName: familyName))
    }
}

extension SignInRecord.Person {
    package static func sample(
        _ subject: Subject = "001999.person", team: TeamID = "TEAM000001", email: String? = "johnny@example.com"
    ) -> Self {
        Self(
            team: team, subject: subject, email: email, emailVerified: email != nil, isPrivateEmail: false,
            realUserStatus: nil)
    }
}

extension SignInRecord.NewSession {
    package static func sample(
        _ kind: Session.Kind = .tokens, at moment: Timestamp = .start, expiresAt: Timestamp = .start + .days(30)
    ) -> Self {
        Self(
            id: .sample(at: moment), kind: kind, clientID: "com.example.juice", secretHash: .sample(),
            authenticatedAt: moment, expiresAt: expiresAt)
    }
}

extension SignInRecord {
    /// A sign-in with fresh identifiers; a pending profile opens as a given name if it is UTF-8.
    package static func sample(
        at moment: Timestamp = .start, _ person: Person = .sample(), used: [UsedCredential] = [.sample()],
        name: PersonName? = nil, appleToken: AppleToken? = nil, session: NewSession? = nil,
        formerSession: SessionID? = nil
    ) -> Self {
        Self(
            at: moment, used: used, person: person, newAccountID: .sample(at: moment),
            newIdentityID: .sample(at: moment), name: name,
            openPendingProfile: { kept in
                // Samples "seal" the given name as text. An address belongs to it.
                String(bytes: kept.sealed, encoding: .utf8).flatMap { PersonName(givenName: $0) }.map {
                    OpenedProfile(
                        name: $0, address: .init(email: "kept@example.com", isVerified: true, isPrivate: false))
                }
            },
            appleToken: appleToken, session: session ?? .sample(at: moment), formerSession: formerSession)
    }
}

extension SessionEnding {
    /// An end by this service itself.
    package static func sample(at moment: Timestamp = .start, _ reason: SessionEndReason = .signedOut) -> Self {
        Self(at: moment, reason: reason, by: .service())
    }
}

extension PendingProfile {
    package static func sample(
        _ givenName: String = "Kept", subject: Subject = "001999.person", team: TeamID = "TEAM000001",
        expiresAt: Timestamp = .start + .days(30)
    ) -> PendingProfile {
        PendingProfile(team: team, subject: subject, sealed: Array(givenName.utf8), expiresAt: expiresAt)
    }
}

extension Attempt {
    package static func sample(
        nonce: String = "nonce-of-an-attempt-0001", createdAt: Timestamp = .start,
        expiresAt: Timestamp = .start + .minutes(10)
    ) -> Attempt {
        Attempt(
            stateHash: .sample(), browserHash: .sample(), purpose: .signIn,
            sessionID: SessionID(rawValue: "ses_0"), clientID: "com.example.juice.web",
            nonce: nonce, returnPath: .account, createdAt: createdAt, expiresAt: expiresAt)
    }
}

extension ReauthenticationRecord {
    /// A reauthentication of the sample person, with a credential of its own.
    package static func sample(of session: SessionID, at moment: Timestamp = .start) -> Self {
        Self(
            at: moment, used: [.sample(expiresAt: moment + .minutes(11))], ownCode: nil, person: .sample(),
            appleToken: nil, session: session, successor: nil)
    }
}

extension AppleToken {
    /// A token that no other sample has.
    package static func sample(_ client: ClientID, at moment: Timestamp = .start) -> AppleToken {
        AppleToken(id: .sample(at: moment), clientID: client, sealed: TokenHash.sample().bytes, obtainedAt: moment)
    }

    package static func sample(_ client: ClientID, _ sealed: [UInt8], at moment: Timestamp = .start) -> AppleToken {
        AppleToken(id: .sample(at: moment), clientID: client, sealed: sealed, obtainedAt: moment)
    }
}
