import AppleID
import AppleIDTypes
import Foundation
import Logging

extension SignIn {
    /// What a verified front-channel token proves, with what came beside it.
    struct Proven: Sendable {
        let identity: VerifiedIdentity
        let code: AuthorizationCode?
        /// Only where the authorization request had one: on the web.
        let redirectURI: String?
        let name: PersonName?
        /// The note for the nonce, where the attempt does not answer for it.
        let nonceSpent: Spent?
    }

    /// The steps that web and app share.
    func complete(
        _ proven: Proven, session kind: Session.Kind, attempt: Attempt?
    ) async throws -> (SignInOutcome, SessionSecret) {
        let identity = proven.identity
        let now = Timestamp(environment.now())
        guard now - Timestamp(secondsSince1970: identity.claims.issuedAt) < Self.tokenLifetime else {
            throw AccountError(.tokenTooOld, "the identity token was issued more than ten minutes ago")
        }
        guard identity.nonce == .matched || proven.code != nil else {
            throw AccountError(
                .codeMissing, "the platform cannot carry a nonce, so an authorization code must prove the token fresh")
        }
        guard let client = apple.clients[identity.audience] else {
            throw AccountError(.configuration, "an audience is accepted whose client is not configured")
        }
        let spent = spentThings(of: proven, at: now)
        if proven.code != nil {
            // Before Apple is asked: a request that comes twice is told so, not that its code is dead.
            if let kind = try await store.firstUsed(among: spent, at: now) {
                throw AccountError(.alreadyUsed, "this was used before", spent: kind)
            }
            if let name = proven.name {
                try await keep(name, of: identity, team: client.team, at: now)
            }
        }
        let appleToken = try await exchange(proven, at: now)
        let (session, secret) = sessions.prepare(
            kind, clientID: identity.audience, browserHash: attempt?.browserHash, authenticatedAt: now, at: now)
        let record = SignInRecord(
            at: now, spent: spent,
            person: SignInRecord.Person(
                team: client.team, subject: identity.subject, email: identity.claims.email,
                emailVerified: identity.claims.emailVerified ?? false,
                isPrivateEmail: identity.claims.isPrivateEmail ?? false,
                realUserStatus: identity.claims.realUserStatus),
            newAccountID: AccountID(at: now, randomness: environment.randomBytes(10)),
            newIdentityID: IdentityID(at: now, randomness: environment.randomBytes(10)),
            name: proven.name, openKeptName: openKeptName, appleToken: appleToken,
            session: session, formerSession: attempt?.sessionID)
        return (try await store.signIn(record), secret)
    }

    private func openKeptName(_ kept: KeptName) -> KeptFacts? {
        do {
            return try nameSeal.openFacts(kept)
        } catch {
            logger.error("A kept name does not open; it stays in the store.", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private func spentThings(of proven: Proven, at now: Timestamp) -> [Spent] {
        let expiry = now + Self.spentLifetime
        var spent = [
            Spent(
                kind: .identityToken, hash: TokenHash(bytes: proven.identity.signingInputDigest), expiresAt: expiry)
        ]
        if let nonce = proven.nonceSpent {
            spent.append(nonce)
        }
        if let code = proven.code {
            spent.append(Spent(kind: .code, hash: TokenHash(of: code.rawValue), expiresAt: expiry))
        }
        return spent
    }

    private func keep(_ name: PersonName, of identity: VerifiedIdentity, team: TeamID, at now: Timestamp) async throws {
        let address = identity.email.map { email in
            KeptFacts.Address(
                email: email, isVerified: identity.isEmailVerified, isPrivate: identity.isPrivateEmail)
        }
        let subject = identity.subject
        try await store.keepName(
            KeptName(
                team: team, subject: subject,
                sealed: try nameSeal.sealFacts(
                    KeptFacts(name: name, address: address), team: team, subject: subject),
                expiresAt: now + Self.keptNameLifetime))
    }

    /// Redeems the code and seals Apple's refresh token. Nil without a code.
    private func exchange(_ proven: Proven, at now: Timestamp) async throws -> AppleToken? {
        guard let code = proven.code else { return nil }
        let front = proven.identity
        let grant = try await apple.exchange(
            code: code, client: front.audience, redirectURI: proven.redirectURI)
        let back = grant.identity.claims
        guard
            back.issuer.isSame(as: front.claims.issuer),
            back.audience.rawValue.isSame(as: front.claims.audience.rawValue),
            back.subject.rawValue.isSame(as: front.subject.rawValue),
            back.nonce == nil || front.claims.nonce == nil || back.nonce?.isSame(as: front.claims.nonce ?? "") == true
        else {
            throw AccountError(.identityMismatch, "Apple's two identity tokens do not belong to the same sign-in")
        }
        guard let refreshToken = grant.refreshToken else { return nil }
        let id = AppleTokenID(at: now, randomness: environment.randomBytes(10))
        let sealed = try tokenSeal.seal(
            Array(refreshToken.rawValue.utf8), row: id.rawValue, client: front.audience.rawValue)
        return AppleToken(id: id, clientID: front.audience, sealed: sealed, obtainedAt: Timestamp(environment.now()))
    }
}

extension String {
    /// Byte by byte: `==` takes canonically equivalent texts for equal.
    fileprivate func isSame(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}

extension Seal {
    private struct Kept: Codable {
        var parts: [String?]
        var address: KeptFacts.Address?
    }

    /// Seals name and address for one person as one team sees them.
    func sealFacts(_ facts: KeptFacts, team: TeamID, subject: Subject) throws -> [UInt8] {
        let kept = Kept(parts: facts.name?.parts ?? [], address: facts.address)
        return try seal(Array(try JSONEncoder().encode(kept)), row: Self.row(team, subject))
    }

    func openFacts(_ kept: KeptName) throws -> KeptFacts {
        let json = try open(kept.sealed, row: Self.row(kept.team, kept.subject))
        let facts = try JSONDecoder().decode(Kept.self, from: Data(json))
        return KeptFacts(name: PersonName(parts: facts.parts), address: facts.address)
    }

    private static func row(_ team: TeamID, _ subject: Subject) -> String {
        team.rawValue + "/" + subject.rawValue
    }
}
