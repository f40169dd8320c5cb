import AppleID
import AppleIDTypes

/// Ends what Apple lets this service do for a person, at their wish, and leaves the account as it is.
public struct Revocations: Sendable {
    let signIn: SignIn
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
        -> RevocationOrder
    {
        if request.authorizationCode == nil { try session.session.requireRecentSignIn(at: signIn.now) }
        return try await signIn.finishing.perform { [self] in
            let identity = try await signIn.identity(of: session.session)
            let (record, unwritten) = try await record(request, in: session.session, of: identity, from: caller)
            let order = try await signIn.keeping(unwritten) { try await signIn.store.revoke(record) }
            signal.wake()
            signIn.sessions.bell.ring(session.session.accountID)
            return order
        }
    }

    private func record(_ request: RevocationRequest, in session: Session, of identity: Identity, from caller: Caller)
        async throws -> (Revocation, SignIn.Unwritten?)
    {
        var record = Revocation(
            at: signIn.now, session: session.id, spent: [], ownCode: nil, appleToken: nil,
            personHash: OutboxEntry.personHash(team: identity.team, subject: identity.subject))
        record.caller = caller
        guard let code = request.authorizationCode else { return (record, nil) }
        var unwritten: SignIn.Unwritten?
        try signIn.check(NativeSignIn(identityToken: nil, authorizationCode: code, nonce: nil))
        if OwnCode.isOurs(code) {
            let (authorization, finish) = try await signIn.redeem(ownCode: code, at: record.at)
            let result = try signIn.authorizationSeal.openResult(finish, of: authorization.id)
            try require(Subject(result.user), of: authorization.clientID, is: identity)
            record.ownCode = SignInRecord.OwnCode(authorization: authorization.id, hash: OwnCode.hash(of: code))
            record.appleToken = finish.appleToken
        } else {
            let grant = try await grant(code, request, in: session, from: caller, at: record.at)
            let token = try signIn.sealed(grant, client: grant.identity.audience)
            try await signIn.keeping(try signIn.unpresented(token, of: grant.identity)) {
                try require(grant.identity.subject, of: grant.identity.audience, is: identity)
            }
            record.appleToken = token
            unwritten = try signIn.unwritten(token, of: grant.identity)
        }
        record.spent = signIn.spentThings(token: nil, nonce: nil, code: code, at: record.at)
        return (record, unwritten)
    }

    private func grant(
        _ code: AuthorizationCode, _ request: RevocationRequest, in session: Session, from caller: Caller,
        at moment: Timestamp
    ) async throws -> TokenGrant {
        let client = request.clientID ?? session.clientID
        guard signIn.configuration.nativeClients.contains(client), signIn.apple.clients[client]?.kind == .app else {
            throw AccountError(
                .requestInvalid, "a code of Apple's needs the bundle id that obtained it", field: "clientID")
        }
        try await signIn.requireUnused(signIn.spentThings(token: nil, nonce: nil, code: code, at: moment), at: moment)
        return try await signIn.exchange(
            code, client: client, nonce: request.nonce.map { ExchangeNonce.issued($0) }, from: caller)
    }

    private func require(_ subject: Subject, of client: ClientID, is identity: Identity) throws(AccountError) {
        guard subject == identity.subject, signIn.apple.clients[client]?.team == identity.team else {
            throw AccountError(.credentialMismatch, "the code is another person's")
        }
    }
}
