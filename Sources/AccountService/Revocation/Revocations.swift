import AppleID
public import AppleIDTypes

/// Ends what Apple lets this service do for a person, at their wish, and leaves the account as it is.
public struct Revocations: Sendable {
    let configuration: AccountConfiguration
    let apple: AppleIDClient
    let verifier: CredentialVerifier
    let vault: AppleTokenVault
    let sessions: Sessions
    let store: AccountTransactions
    let finishing: FinishingWork
    let signal: OutboxSignal

    /// Writes into the outbox what is to be revoked at Apple; the tokens are not used for anything else from now on.
    ///
    /// A code proves by itself that its person is there; without one the session needs a recent sign-in. Throws
    /// ``AccountError`` with ``AccountError/Code/requiresRecentLogin``, ``AccountError/Code/credentialMismatch`` for
    /// another person's code, ``AccountError/Code/requestInvalid``, ``AccountError/Code/alreadyUsed`` or
    /// ``AccountError/Code/sessionEnded``, and ``AppleIDError`` for a code that is not redeemed.
    /// - Parameter caller: for the audit, and by whose address refused codes are counted.
    /// - Returns: how many tokens Apple is asked to revoke, and whether the person has to remove the app by hand.
    public func revoke(_ request: RevocationRequest, in session: StoredSession, from caller: Caller) async throws
        -> RevocationWork
    {
        if request.authorizationCode == nil { try session.session.requireRecentSignIn(at: verifier.now) }
        return try await finishing.perform { [self] in
            let identity = try await sessions.identity(of: session.session)
            guard identity.provider == .apple else { return try nothing(asked: request) }
            let (record, pending) = try await record(request, in: session.session, of: identity, from: caller)
            let work = try await vault.keepingToken(pending) { try await store.revoke(record) }
            signal.notify()
            sessions.bell.notify(session.session.accountID)
            return work
        }
    }

    /// The answer to a session that is not Apple's: there is nothing to revoke, and no code can be its person's.
    private func nothing(asked request: RevocationRequest) throws(AccountError) -> RevocationWork {
        guard request.authorizationCode == nil else {
            throw AccountError(.credentialMismatch, "nobody signs in to this account with Apple")
        }
        return RevocationWork(count: 0, needsManualRemoval: false)
    }

    private func record(_ request: RevocationRequest, in session: Session, of identity: Identity, from caller: Caller)
        async throws -> (RevocationRecord, PendingToken?)
    {
        var record = RevocationRecord(at: verifier.now, session: session.id, used: [], ownCode: nil, appleToken: nil)
        record.caller = caller
        guard let code = request.authorizationCode else { return (record, nil) }
        var pending: PendingToken?
        try Credential.check(code)
        if OwnCode.isOurs(code) {
            let redeemed = try await verifier.redeem(ownCode: code, at: record.at)
            try require(redeemed.subject, of: redeemed.client, is: identity)
            record.ownCode = redeemed.ownCode
            record.appleToken = redeemed.token
        } else {
            let (bearer, token) = try await redeem(code, request, in: session, from: caller, at: record.at)
            try await vault.keepingToken(try vault.pendingToken(token, ofUnprovenBearer: bearer)) {
                try require(bearer.subject, of: bearer.audience, is: identity)
            }
            record.appleToken = token
            pending = try vault.pendingToken(token, of: bearer)
        }
        record.used = verifier.usedCredentials(token: nil, nonce: nil, code: code, at: record.at)
        return (record, pending)
    }

    private func redeem(
        _ code: AuthorizationCode, _ request: RevocationRequest, in session: Session, from caller: Caller,
        at moment: Timestamp
    ) async throws -> (VerifiedIdentity, AppleToken?) {
        let client = request.clientID ?? session.clientID
        guard configuration.nativeClients.contains(client), apple.clients[client]?.kind == .app else {
            throw AccountError(
                .requestInvalid, "a code of Apple's needs the bundle id that obtained it", field: "clientID")
        }
        guard request.nonce.map({ (1...ClientNonce.allowedLength.upperBound).contains($0.utf8.count) }) ?? true else {
            throw AccountError(.requestInvalid, "this is no nonce that Apple was given", field: "nonce")
        }
        try await verifier.requireUnused(
            verifier.usedCredentials(token: nil, nonce: nil, code: code, at: moment), at: moment)
        return try await vault.redeemAlone(
            code, client: client, nonce: request.nonce.map { ExchangeNonce.issued($0) }, from: caller)
    }

    private func require(_ subject: Subject, of client: ClientID, is identity: Identity) throws(AccountError) {
        guard subject == identity.subject, apple.clients[client]?.team == identity.team else {
            throw AccountError(.credentialMismatch, "the code is another person's")
        }
    }
}

/// How Apple's authorization of an account's person is to be ended.
public struct RevocationRequest: Sendable, Redacted {
    /// A fresh code of the person's, Apple's or ours; nil to revoke by the tokens that are held.
    public var authorizationCode: AuthorizationCode?
    /// The raw nonce that Apple was given for the code, if any.
    public var nonce: String?
    /// The bundle id that obtained a code of Apple's; nil for that of the session.
    public var clientID: ClientID?

    /// Makes a request. It may be empty: then the tokens that are held are revoked.
    public init(authorizationCode: AuthorizationCode? = nil, nonce: String? = nil, clientID: ClientID? = nil) {
        self.authorizationCode = authorizationCode
        self.nonce = nonce
        self.clientID = clientID
    }
}

/// The work at Apple that the transaction of a revocation or a deletion leaves to the outbox.
public struct RevocationWork: Hashable, Sendable {
    /// How many entries of the outbox are to be revoked, or redeemed for it.
    public var count: Int
    /// Whether Apple may go on listing the app, so that the person has to remove it by hand: there is nothing to revoke
    /// with, and nothing says that the authorization has ended.
    public var needsManualRemoval: Bool
    /// Whether the account has, or had, an identity of Apple's.
    public var hasApple: Bool

    package init(count: Int, needsManualRemoval: Bool, hasApple: Bool = true) {
        self.count = count
        self.needsManualRemoval = needsManualRemoval
        self.hasApple = hasApple
    }
}

/// Everything that a revocation writes, in one transaction: ``AccountTransactions/revoke(_:)``.
package struct RevocationRecord: Sendable {
    package var at: Timestamp
    /// The session in which the revocation is asked for; the tokens held for its identity are revoked.
    package var session: SessionID
    package var used: [UsedCredential]
    package var ownCode: SignInRecord.UsedOwnCode?
    /// The token that a code brought: revoked, and never kept.
    package var appleToken: AppleToken?
    /// For the audit.
    package var caller = Caller.unknown

    package init(
        at: Timestamp, session: SessionID, used: [UsedCredential], ownCode: SignInRecord.UsedOwnCode?,
        appleToken: AppleToken?
    ) {
        self.at = at
        self.session = session
        self.used = used
        self.ownCode = ownCode
        self.appleToken = appleToken
    }
}
