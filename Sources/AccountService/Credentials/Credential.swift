import AccountDatabase
import AppleID
import AppleIDTypes
import OpenIDConnect

/// A credential as somebody presented it: nothing of it is checked yet.
///
/// ``CredentialVerifier`` checks it and makes a ``ProvenCredential`` of it. A new kind of credential is one more case
/// here and one more file with its check. A ``CredentialPurpose`` says what a credential is presented for, and does not
/// know the kinds.
///
/// A password and a one-time link are no cases: this service has made them, so no provider proves anything. ``Passwords``
/// checks them.
enum Credential: Sendable {
    /// Apple's identity token, from an app, with or without Apple's code beside it.
    case identityToken(String, NativeSignIn)
    /// Apple's code alone, from an app.
    case appleCode(AuthorizationCode, NativeSignIn)
    /// A code of ours, which an authorization gave an app, with or without the identity token that came with it.
    case ownCode(AuthorizationCode, NativeSignIn)
    /// The form that Apple had a browser post, which ends this attempt.
    case form(AuthorizationResponse, Attempt)
    /// The identity token of another provider, from an app.
    case providerToken(ProviderSignIn)
    /// The answer of another provider, which a browser brought back. It ends an attempt.
    case providerCallback(ProviderCallback, ProviderAttempt)

    /// In bytes. Apple's codes are far shorter, and so are ours.
    private static let maximumCode = 1_024

    /// The credential in an app's request.
    ///
    /// Throws ``AccountError/Code/requestInvalid`` for a code that can be none, and for a request with neither token
    /// nor code.
    init(_ request: NativeSignIn) throws(AccountError) {
        if let code = request.authorizationCode { try Self.check(code) }
        switch (request.identityToken, request.authorizationCode) {
        case (nil, nil):
            throw AccountError(
                .requestInvalid, "an identity token or an authorization code is needed", field: "identityToken")
        case (_, let code?) where OwnCode.isOurs(code): self = .ownCode(code, request)
        case (let token?, _): self = .identityToken(token, request)
        case (nil, let code?): self = .appleCode(code, request)
        }
    }

    /// Throws ``AccountError/Code/requestInvalid`` for a code that is empty, long or not printable ASCII.
    static func check(_ code: AuthorizationCode) throws(AccountError) {
        let bytes = code.rawValue.utf8
        guard (1...maximumCode).contains(bytes.count), bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AccountError(
                .requestInvalid, "the authorization code is empty, long, or not printable ASCII",
                field: "authorizationCode")
        }
    }
}

/// The purpose for which a credential is presented.
enum CredentialPurpose: Sendable {
    /// A sign-in, for any person.
    case signIn
    /// A proof that the person at a session is still the one of the identity that opened it, by a challenge made for
    /// this purpose and session.
    case freshProof(Challenge.Purpose, session: SessionID, Identity)
    /// A new way in to a session's account, by a link or an upgrade, for a person whom the check takes. The check runs
    /// before anything is used up, kept or redeemed.
    case newWayIn(
        Challenge.Purpose, session: SessionID, check: @Sendable (SignInRecord.Person) async throws -> Void)

    var challengePurpose: Challenge.Purpose {
        switch self {
        case .signIn: .signIn
        case .freshProof(let purpose, _, _), .newWayIn(let purpose, _, _): purpose
        }
    }

    /// Requires the person of the session, where a fresh proof is asked for.
    /// - Throws: ``AccountError/Code/credentialMismatch``.
    func requirePerson(_ provider: IdentityProvider, _ team: TeamID, _ subject: Subject) throws(AccountError) {
        guard case .freshProof(_, _, let expected) = self else { return }
        guard provider == expected.provider, team == expected.team, subject == expected.subject else {
            throw AccountError(.credentialMismatch, "the credential is another person's")
        }
    }

    /// The session to which a challenge is bound.
    var session: SessionID? {
        switch self {
        case .signIn: nil
        case .freshProof(_, let session, _), .newWayIn(_, let session, _): session
        }
    }
}

/// A credential that was checked, and everything that its use writes. Only ``CredentialVerifier`` makes one.
struct ProvenCredential: Sendable {
    /// The time of the proof: what uses the credential goes by it.
    let at: Timestamp
    /// The client that the credential was issued to.
    let client: ClientID
    /// The person whom the credential is about, as the provider says.
    let person: SignInRecord.Person
    let name: PersonName?
    /// The notes of everything that the credential uses up, to be written by the transaction that uses it.
    let used: [UsedCredential]
    /// Whether a nonce proved that the credential is fresh.
    let hasNonceProof: Bool
    /// The time when the person authenticated at another provider; nil where the provider doesn't say it, and for Apple.
    var toldAuthenticationTime: Timestamp?
    /// Set for a code of ours: the transaction uses it up.
    var ownCode: SignInRecord.UsedOwnCode?
    /// The yield of Apple's code; nil without a code, and for a provider other than Apple.
    var apple: RedeemedCode?

    /// The time from which on a session that the credential opens or renews gets older.
    var authenticatedAt: Timestamp { toldAuthenticationTime ?? at }
}

/// A nonce that a client sent: a challenge of ours, or the client's own.
struct ClientNonce: Sendable {
    /// In bytes of printable ASCII.
    static let allowedLength = 20...128

    let expectation: NonceExpectation
    private let raw: String
    private let challenge: UsedCredential?

    /// - Throws: ``AccountError/Code/nonceInvalid`` or ``AccountError/Code/challengeInvalid``.
    init(
        _ raw: String, for purpose: Challenge.Purpose, session: SessionID?, challenges: Challenges
    ) throws(AccountError) {
        guard Self.allowedLength.contains(raw.utf8.count), raw.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AccountError(.nonceInvalid, "a nonce has 20 to 128 printable ASCII characters")
        }
        self.raw = raw
        if Challenges.isChallenge(raw) {
            challenge = try challenges.verify(raw, for: purpose, session: session)
            expectation = .issued(raw)
        } else {
            guard purpose == .signIn else {
                throw AccountError(.challengeInvalid, "this needs a challenge of the server as its nonce")
            }
            challenge = nil
            expectation = .hashed(ofRaw: raw)
        }
    }

    /// The nonce that the token in Apple's answer to the code must have.
    var exchangeNonce: ExchangeNonce {
        challenge == nil ? .hashed(ofRaw: raw) : .issued(raw)
    }

    /// The nonce that another provider's token has to carry. A challenge stands in the token as it is, and an app's own
    /// nonce as its hash.
    var providerNonce: ProviderNonce {
        challenge == nil ? .hashed(ofRaw: raw) : .issued(raw)
    }

    /// The note that it is used. A nonce that a client made counts for its audience only.
    func usedCredential(audience: ClientID, until expiry: Timestamp) -> UsedCredential {
        challenge
            ?? UsedCredential(
                kind: .nonce, hash: TokenHash(of: audience.rawValue + "\n" + raw), expiresAt: expiry)
    }
}

/// Something that may be used once, noted in the transaction that used it.
package struct UsedCredential: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable {
        case challenge
        case nonce
        case identityToken = "identity_token"
        case code
    }

    package var kind: Kind
    package var hash: TokenHash
    /// After this the thing is refused for its age, so the note may go.
    package var expiresAt: Timestamp

    package init(kind: Kind, hash: TokenHash, expiresAt: Timestamp) {
        self.kind = kind
        self.hash = hash
        self.expiresAt = expiresAt
    }
}

extension AccountTransactions {
    /// Returns the kind of the first credential that was used before and whose note has not expired; nil if none was.
    ///
    /// Called before Apple is asked. The transaction checks again, by ``SQLConnection/markUsed(_:at:reading:)``.
    /// - Parameter credentials: three at most, since one statement looks for all of them.
    package func firstUsed(
        among credentials: [UsedCredential], at moment: Timestamp
    ) async throws -> UsedCredential.Kind? {
        precondition(credentials.count <= 3)
        guard let last = credentials.last else { return nil }
        // The statement has room for three. Where there are fewer, it looks for the last one again.
        let three = credentials + Array(repeating: last, count: 3 - credentials.count)
        let found = try await lookUp(
            .findUsedCredentials,
            [.time(moment)] + three.flatMap { try [.text($0.kind), .hash($0.hash)] }
        ) { try $0.word() as UsedCredential.Kind }
        return credentials.first { found.contains($0.kind) }?.kind
    }
}

extension SQLConnection {
    /// Notes that credentials are used, in the order in which they are given. Two transactions that use the same ones so
    /// wait for each other in one order. A note that has expired counts as none.
    ///
    /// Throws `AccountError` with the code `alreadyUsed` at the first that was used before.
    /// - Parameter reading: runs after the notes, in the same round trip.
    func markUsed(_ things: [UsedCredential], at: Timestamp, reading: [SQLStep] = []) throws {
        let notes = try things.map { thing in
            try SQLStep(.markUsed, [.text(thing.kind), .hash(thing.hash), .time(thing.expiresAt), .time(at)])
        }
        for (thing, touched) in try zip(things, run(notes + reading)) where touched == 0 {
            throw AccountError(.alreadyUsed, "This \(thing.kind.rawValue) was used before.", used: thing.kind)
        }
    }
}

extension SQLStatement {
    fileprivate static let findUsedCredentials: Self = """
        SELECT kind FROM spent
        WHERE ((kind = ?2 AND hash = ?3) OR (kind = ?4 AND hash = ?5) OR (kind = ?6 AND hash = ?7)) AND expires_at > ?1
        """
    fileprivate static let markUsed: Self = """
        INSERT INTO spent (kind, hash, expires_at) VALUES (?1, ?2, ?3)
        ON CONFLICT (kind, hash) DO UPDATE SET expires_at = excluded.expires_at WHERE spent.expires_at <= ?4
        """
}
