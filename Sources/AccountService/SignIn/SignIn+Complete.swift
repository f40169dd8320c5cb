import AppleID
import AppleIDTypes
import Foundation
import Logging

extension SignIn {
    /// What a verified front-channel token proves, with what came beside it.
    struct Proven: Sendable {
        let identity: VerifiedIdentity
        /// From which ``identity`` was read, and the nonce that it was held against.
        let identityToken: String
        let nonce: NonceExpectation
        let code: AuthorizationCode?
        /// Only where the authorization request had one: with a Services ID.
        let redirectURI: String?
        let name: PersonName?
        /// The note for the nonce, where the attempt does not answer for it.
        let nonceSpent: Spent?
    }

    /// Everything that a sign-in writes, when nothing is left to be asked.
    struct Settled: Sendable {
        let at: Timestamp
        let identity: VerifiedIdentity
        let name: PersonName?
        let spent: [Spent]
        let appleToken: AppleToken?
        let hasNonceProof: Bool
        var ownCode: SignInRecord.OwnCode?
        /// In place of ``appleToken``, for the outbox.
        var waitingCode: OutboxEntry?
        /// Whether Apple has redeemed that code, and what it gave waits in its entry.
        var holdsAnswer = false
    }

    /// The steps that web and app share, up to the transaction.
    func settle(_ proven: Proven, for use: Use) async throws -> Settled {
        let identity = proven.identity
        let moment = now
        try requireFresh(identity, at: moment)
        try require(identity, fits: use)
        guard identity.nonce == .matched || proven.code != nil else {
            throw AccountError(
                .codeMissing, "the platform cannot carry a nonce, so an authorization code must prove the token fresh")
        }
        let client = try client(of: identity)
        let spent = spentThings(token: identity, nonce: proven.nonceSpent, code: proven.code, at: moment)
        if proven.code != nil {
            try await requireUnused(spent, at: moment)
            try await restRevocations(of: client.team, identity.subject, until: moment + Self.revocationPause)
            if let name = proven.name {
                try await keep(name, of: identity, team: client.team, at: moment)
            }
        }
        // Before the code is redeemed: whoever is refused keeps what they have at Apple.
        if case .signIn = use { try await requireAccountAfterTransfer(of: identity) }
        let redeemed = try await redeem(proven, at: moment)
        return Settled(
            at: moment, identity: identity, name: proven.name, spent: spent, appleToken: redeemed.appleToken,
            hasNonceProof: identity.nonce == .matched, waitingCode: redeemed.waitingCode,
            holdsAnswer: redeemed.holdsAnswer)
    }

    /// The one transaction of a sign-in.
    func write(
        _ settled: Settled, session kind: Session.Kind, attempt: Attempt?, from caller: Caller
    ) async throws -> (SignInOutcome, SessionSecret) {
        let (identity, moment) = (settled.identity, settled.at)
        let (session, secret) = sessions.prepare(
            kind, clientID: identity.audience, browserHash: attempt?.browserHash, authenticatedAt: moment,
            hasNonceProof: settled.hasNonceProof, at: moment)
        var record = SignInRecord(
            at: moment, spent: settled.spent, ownCode: settled.ownCode,
            person: try person(of: identity),
            newAccountID: AccountID(at: moment, randomness: environment.randomBytes(10)),
            newIdentityID: IdentityID(at: moment, randomness: environment.randomBytes(10)),
            name: settled.name, openKeptName: openKeptName, appleToken: settled.appleToken,
            session: session, formerSession: attempt?.sessionID)
        record.caller = caller
        record.session.deviceName = caller.device
        record.waitingCode = settled.waitingCode
        let outcome = try await keeping(try unwritten(settled)) { [record] in
            try await tellingOfTransfer(for: identity) { try await store.signIn(record) }
        }
        for account in outcome.replaced.union([outcome.account.id]) { sessions.bell.ring(account) }
        return (outcome, secret)
    }

    // MARK: Steps

    /// What Apple says of a person with an identity token.
    func person(of identity: VerifiedIdentity) throws -> SignInRecord.Person {
        let claims = identity.claims
        var person = SignInRecord.Person(
            team: try client(of: identity).team, subject: identity.subject, email: claims.email,
            emailVerified: claims.emailVerified ?? false, isPrivateEmail: claims.isPrivateEmail ?? false,
            realUserStatus: claims.realUserStatus, organizationID: claims.organizationID,
            authorizedAt: Timestamp(secondsSince1970: claims.issuedAt))
        if !configuration.admitsTransferredPeople { person.transferSubject = claims.transferSubject }
        return person
    }

    func requireFresh(_ identity: VerifiedIdentity, at moment: Timestamp) throws {
        guard moment - Timestamp(secondsSince1970: identity.issuedAt) < Self.tokenLifetime else {
            throw AccountError(.tokenTooOld, "the identity token was issued more than ten minutes ago")
        }
    }

    /// Before a code is redeemed: a revocation that is still to come would end what the code is about to bring.
    func restRevocations(of team: TeamID, _ subject: Subject, until end: Timestamp) async throws {
        try await store.postponeRevocations(
            of: OutboxEntry.personHash(team: team, subject: subject), at: now, until: end)
    }

    func client(of identity: VerifiedIdentity) throws -> AppleClient {
        guard let client = apple.clients[identity.audience] else {
            throw AccountError(.configuration, "an audience is accepted whose client is not configured")
        }
        return client
    }

    /// Before Apple is asked: a request that comes twice is told so, not that its code is dead.
    func requireUnused(_ spent: [Spent], at moment: Timestamp) async throws {
        if let kind = try await store.firstUsed(among: spent, at: moment) {
            throw AccountError(.alreadyUsed, "this was used before", spent: kind)
        }
    }

    /// The notes of everything that a sign-in uses up, always in this order.
    func spentThings(
        token: VerifiedIdentity?, nonce: Spent?, code: AuthorizationCode?, at moment: Timestamp
    ) -> [Spent] {
        let expiry = moment + Self.spentLifetime
        var spent: [Spent] = []
        if let token {
            spent.append(
                Spent(kind: .identityToken, hash: TokenHash(bytes: token.signingInputDigest), expiresAt: expiry))
        }
        if let nonce {
            spent.append(nonce)
        }
        if let code {
            spent.append(Spent(kind: .code, hash: TokenHash(of: code.rawValue), expiresAt: expiry))
        }
        return spent
    }

    func keep(_ name: PersonName, of identity: VerifiedIdentity, team: TeamID, at moment: Timestamp) async throws {
        try await store.keepName(try kept(name, of: identity, team: team, at: moment))
    }

    /// A name as it is kept, sealed, with the address in Apple's token.
    func kept(
        _ name: PersonName, of identity: VerifiedIdentity, team: TeamID, at moment: Timestamp
    ) throws -> KeptName {
        let address = identity.email.map { email in
            KeptFacts.Address(
                email: email, isVerified: identity.isEmailVerified, isPrivate: identity.isPrivateEmail)
        }
        let subject = identity.subject
        return KeptName(
            team: team, subject: subject,
            sealed: try nameSeal.sealFacts(
                KeptFacts(name: name, address: address), team: team, subject: subject),
            expiresAt: moment + Self.keptNameLifetime)
    }

    private func openKeptName(_ kept: KeptName) -> KeptFacts? {
        do {
            return try nameSeal.openFacts(kept)
        } catch {
            logger.error("A kept name does not open; it stays in the store.", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Redeems the code and seals Apple's refresh token. Nil without a code.
    func exchange(_ proven: Proven) async throws -> AppleToken? {
        do {
            return try await grant(for: proven)
        } catch let error as AppleIDError {
            throw await refusal(error, proven)
        }
    }

    /// The same, with the error as it comes.
    func grant(for proven: Proven) async throws -> AppleToken? {
        guard let code = proven.code else { return nil }
        let client = proven.identity.audience
        let grant = try await apple.exchange(
            code: code, client: client, nonce: .proven(by: proven.identity), redirectURI: proven.redirectURI)
        return try sealed(grant, client: client)
    }

    /// Apple's refresh token as it is kept, if there is one.
    func sealed(_ grant: TokenGrant, client: ClientID) throws -> AppleToken? {
        try grant.refreshToken.map { try sealed($0, client: client) }
    }

    func sealed(_ refreshToken: RefreshToken, client: ClientID) throws -> AppleToken {
        try AppleToken(
            sealing: refreshToken, client: client, with: tokenSeal, at: now, randomness: environment.randomBytes(10))
    }
}
