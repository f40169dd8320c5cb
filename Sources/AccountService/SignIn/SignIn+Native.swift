import AppleID
import AppleIDTypes

extension SignIn {
    /// Signs a person in with what an app has: Apple's identity token and nonce, with or without a code; a code alone;
    /// or a code of ours, with or without the token that came with it.
    ///
    /// Throws ``AppleIDError`` for a token that does not verify, a nonce that does not fit and a code that is not
    /// redeemed, and ``AccountError`` with ``AccountError/Code/requestInvalid``, ``AccountError/Code/nonceInvalid``,
    /// ``AccountError/Code/challengeInvalid``, ``AccountError/Code/tokenTooOld``, ``AccountError/Code/codeMissing``,
    /// ``AccountError/Code/identityMismatch``, ``AccountError/Code/alreadyUsed`` or, for codes alone,
    /// ``AccountError/Code/rateLimited``.
    /// - Parameter caller: by its address refused codes are counted.
    public func native(_ request: NativeSignIn, from caller: Caller) async throws -> TokenSignIn {
        try check(request)
        return try await finishing.perform { [self] in
            let settled = try await settle(request, for: .signIn, from: caller)
            let (outcome, secret) = try await write(settled, session: .tokens, attempt: nil, from: caller)
            return TokenSignIn(
                account: outcome.account, isNewAccount: outcome.isNewAccount,
                tokens: try sessions.tokens(for: outcome.session, refreshToken: secret))
        }
    }

    /// Apple's codes are far shorter, and ours are.
    func check(_ request: NativeSignIn) throws(AccountError) {
        guard let bytes = request.authorizationCode?.rawValue.utf8 else { return }
        guard (1...Self.maximumCode).contains(bytes.count), bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw AccountError(
                .requestInvalid, "the authorization code is empty, long, or not printable ASCII",
                field: "authorizationCode")
        }
    }

    /// Finds out all that an app's credential says, with Apple's help where there is a code.
    func settle(_ request: NativeSignIn, for use: Use, from caller: Caller) async throws -> Settled {
        switch (request.identityToken, request.authorizationCode) {
        case (nil, nil):
            throw AccountError(
                .requestInvalid, "an identity token or an authorization code is needed", field: "identityToken")
        case (_, let code?) where OwnCode.isOurs(code):
            return try await settle(ownCode: code, nonce: try nonce(of: request, for: use), request, for: use)
        case (let token?, _):
            guard let nonce = try nonce(of: request, for: use) else {
                throw AccountError(.requestInvalid, "an identity token needs the raw nonce beside it", field: "nonce")
            }
            return try await settle(token: token, nonce: nonce, request, for: use)
        case (nil, let code?):
            return try await settle(
                code: code, nonce: try nonce(of: request, for: use), request, for: use, from: caller)
        }
    }

    private func nonce(of request: NativeSignIn, for use: Use) throws -> ClientNonce? {
        guard let raw = request.nonce else { return nil }
        return try ClientNonce(raw, for: use.challengePurpose, session: use.session, challenges: challenges)
    }

    private func settle(
        token: String, nonce: ClientNonce, _ request: NativeSignIn, for use: Use
    ) async throws -> Settled {
        // Without a nonce it counts only with a code beside it, which Apple then has to redeem: `settle` sees to both.
        let identity = try await apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(
                audiences: configuration.nativeClients, nonce: nonce.expectation, acceptsUnsupportedNonce: true,
                authorizationCode: (request.authorizationCode?.rawValue).map(HashExpectation.ifPresent)))
        let proven = Proven(
            identity: identity, identityToken: token, nonce: nonce.expectation, code: request.authorizationCode,
            redirectURI: configuration.nativeReturnURLs[identity.audience], name: request.name,
            nonceSpent: nonce.spent(audience: identity.audience, until: now + Self.spentLifetime))
        return try await settle(proven, for: use)
    }

    // MARK: A code alone

    /// The code is all there is: who it is about is known when Apple has redeemed it, so a name that came beside it
    /// cannot be kept before.
    private func settle(
        code: AuthorizationCode, nonce: ClientNonce?, _ request: NativeSignIn, for use: Use, from caller: Caller
    ) async throws -> Settled {
        guard let client = request.clientID, configuration.nativeClients.contains(client),
            apple.clients[client]?.kind == .app
        else {
            // The code of a Services ID came by a browser, and only who began there knows whose it is.
            throw AccountError(
                .requestInvalid, "a code without identity token needs the bundle id that obtained it",
                field: "clientID")
        }
        let moment = now
        let nonceSpent = nonce?.spent(audience: client, until: moment + Self.spentLifetime)
        try await requireUnused(spentThings(token: nil, nonce: nonceSpent, code: code, at: moment), at: moment)
        if case .proof(_, _, let person) = use {
            // Of anybody else it is not known whom the code is about before it is redeemed.
            try await restRevocations(of: person.team, person.subject, until: moment + Self.revocationPause)
        }
        let grant = try await exchange(code, client: client, nonce: nonce?.exchangeNonce, from: caller)
        let token = try sealed(grant, client: client)
        return try await keeping(try unpresented(token, of: grant.identity)) {
            try requireFresh(grant.identity, at: moment)
            try require(grant.identity, fits: use)
            if case .signIn = use { try await requireAccountAfterTransfer(of: grant.identity) }
            return Settled(
                at: moment, identity: grant.identity, name: request.name,
                spent: spentThings(token: grant.identity, nonce: nonceSpent, code: code, at: moment),
                appleToken: token, hasNonceProof: grant.identity.nonce == .matched)
        }
    }

    /// Asks Apple about a code that nothing proves: not too often for one address, nor too much at once.
    func exchange(
        _ code: AuthorizationCode, client: ClientID, nonce: ExchangeNonce?, from caller: Caller
    ) async throws -> TokenGrant {
        let moment = now
        let limit = WrongCodeLimit(
            of: .authorizationCodes, from: CountedNetwork(of: caller.address ?? "unknown"),
            limit: Self.refusedCodesPerAddress,
            during: Self.refusedCodeWindow, at: moment)
        guard try await store.mayTryCode(limit) else {
            throw AccountError(
                .rateLimited, "Apple refused too many codes from this address", retryAfter: limit.windowEnd - moment)
        }
        do {
            let expected = nonce ?? .absent
            return try await codeExchanges.perform {
                try await apple.exchange(code: code, client: client, nonce: expected)
            }
        } catch let error as AppleIDError {
            await keepAnswer(of: error, to: code, client: client, nonce: nonce)
            if error.code == .grantRejected { try await store.countWrongCode(limit) }
            guard error.code == .nonceMismatch, nonce == nil else { throw error }
            throw AppleIDError(
                .nonceMissing, "Apple's token carries a nonce, and the request has none", cause: error.cause)
        }
    }

    // MARK: A code of ours

    /// Signs in with what one of our authorizations has brought: Apple is not asked again.
    private func settle(
        ownCode code: AuthorizationCode, nonce: ClientNonce?, _ request: NativeSignIn, for use: Use
    ) async throws -> Settled {
        let moment = now
        let (authorization, finish) = try await redeem(ownCode: code, at: moment)
        let app = configuration.apps.first { $0.id == authorization.app }
        if request.identityToken == nil {
            guard let client = request.clientID, app?.clientIDs.contains(client) == true else {
                throw AccountError(
                    .requestInvalid, "a code without identity token needs a client of its app", field: "clientID")
            }
        }
        let result = try authorizationSeal.openResult(finish, of: authorization.id)
        let identity = try await verify(
            request.identityToken ?? result.identityToken, nonce: nonce, of: authorization)
        guard TokenHash(bytes: identity.signingInputDigest) == finish.tokenHash else {
            throw AccountError(.identityMismatch, "the identity token is not the one that the code was given with")
        }
        try requireFresh(identity, at: moment)
        try require(identity, fits: use)
        let nonceSpent = nonce?.spent(audience: identity.audience, until: moment + Self.spentLifetime)
        return Settled(
            at: moment, identity: identity, name: request.name ?? result.name,
            spent: spentThings(token: identity, nonce: nonceSpent, code: code, at: moment),
            appleToken: finish.appleToken, hasNonceProof: identity.nonce == .matched,
            ownCode: SignInRecord.OwnCode(authorization: authorization.id, hash: OwnCode.hash(of: code)))
    }

    /// What one of our codes stands for; it is used up by the transaction that uses it.
    func redeem(
        ownCode code: AuthorizationCode, at moment: Timestamp
    ) async throws -> (StoredAuthorization, AuthorizationFinish) {
        try await requireUnused(spentThings(token: nil, nonce: nil, code: code, at: moment), at: moment)
        guard let authorization = try await store.authorization(ownCode: OwnCode.hash(of: code)),
            case .finished(let finish) = authorization.end, let expiry = authorization.codeExpiresAt, moment < expiry
        else {
            // It stands in the place of Apple's code, and so does the refusal.
            throw AppleIDError(.grantRejected, "the authorization code is unknown, used or expired")
        }
        return (authorization, finish)
    }

    /// Only with its own code is the token of an authorization's Services ID taken.
    private func verify(
        _ token: String, nonce: ClientNonce?, of authorization: StoredAuthorization
    ) async throws -> VerifiedIdentity {
        guard authorization.nonce == nil || nonce != nil else {
            throw AppleIDError(.nonceMissing, "the identity token carries a nonce, and the request has none")
        }
        return try await apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(
                audiences: [authorization.clientID], nonce: nonce?.expectation ?? .absent))
    }
}
