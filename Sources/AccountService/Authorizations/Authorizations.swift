import AppleID
import AppleIDTypes
import Foundation

/// Authorizations by Apple for apps where Apple's framework is not: through a browser and back, or with a device code.
///
/// None of it makes a session or an account: what an app redeems, it presents at ``SignIn/native(_:from:)``.
/// `AccountHTTP` has the pages that a person sees meanwhile.
public struct Authorizations: Sendable {
    /// From the beginning to Apple's answer, and for a device to the redemption.
    static let lifetime: Duration = .minutes(10)
    /// How long an authorization is remembered after that: longer than handles and codes of ours live, so that nothing
    /// that was handed out is forgotten before its time.
    static let retention: Duration = .minutes(10)
    /// From a redirect to its redemption.
    static let handleLifetime: Duration = .seconds(60)
    /// How long the last page leads back to the app.
    package static let returnWindow: Duration = .minutes(2)
    /// Between two questions of a device, and by how much asking too soon lengthens it (RFC 8628 §3.5).
    static let pollInterval: Duration = .seconds(5)
    /// Wrong user codes are counted in windows of this length.
    static let guessWindow: Duration = .minutes(10)
    static let wrongCodesPerAddress: Int64 = 10
    /// So many wrong codes in one window shut everybody out until it ends. With 20⁸ codes, a guesser who has this limit
    /// to themselves all day still finds a waiting device less often than once in 175,000 days for each that waits. The
    /// limit has a price: a hundred networks that each use up their own limit deny the device flow, and nothing else,
    /// to all.
    static let wrongCodesOverall: Int64 = 1_000
    /// Authorizations of one address within their ten minutes, without those that a person finished at Apple. So many
    /// are no single person's; but behind a proxy that this service does not trust, everybody has the proxy's address,
    /// and this is the limit of all of them together: a hundred a minute that come to nothing.
    static let openPerAddress: Int64 = 1_000
    /// In bytes.
    static let maximumState = 1_024
    /// In bytes.
    static let maximumNonce = 128

    let configuration: AccountConfiguration
    let attempts: WebAttempts
    let providerAttempts: ProviderAttempts
    let store: AccountTransactions
    let seal: Seal
    let userCodeKeys: UserCodeKeys
    let environment: AppleIDEnvironment

    var now: Timestamp { Timestamp(environment.now()) }

    // MARK: Beginning

    /// Begins an authorization for an app.
    /// - Parameter address: the network address of the asking device, which the person will see.
    /// - Throws: ``AccountError/Code/appUnknown``, ``AccountError/Code/providerUnknown``,
    ///   ``AccountError/Code/returnTargetMismatch``,
    ///   ``AccountError/Code/requestInvalid`` with its `field`, and ``AccountError/Code/rateLimited`` for an address
    ///   with too many authorizations that nobody has finished.
    public func begin(_ request: BeginAuthorization, from address: String) async throws -> AuthorizationBeginning {
        let checked = try CheckedAuthorizationRequest(
            request, apps: configuration.apps, providers: providerAttempts.providers)
        let moment = now
        // All of it random: whoever knows it can open the page.
        let id = AuthorizationID(rawValue: AuthorizationID.prefix + Base32.encode(environment.randomBytes(16)))
        var authorization = StoredAuthorization(
            id: id, app: checked.app.id, redirectURI: request.redirectURI, device: nil, challenge: checked.challenge,
            clientID: checked.client, scopes: checked.scopes, nonce: request.nonce,
            sealedState: try request.state.map { try seal.seal(Array($0.utf8), row: id.rawValue, client: "state") },
            address: address, createdAt: moment, expiresAt: moment + Self.lifetime,
            keptUntil: moment + Self.lifetime + Self.retention)
        authorization.provider = checked.provider
        if request.redirectURI == nil {
            return try await beginDevice(&authorization)
        }
        guard try await insert(authorization) else {
            throw AccountError(.unavailable, "an authorization with this id is there already")
        }
        return .redirect(
            id: id, url: configuration.publicURL.appending("/authorizations/\(id)"), expiresAt: authorization.expiresAt)
    }

    private func beginDevice(_ authorization: inout StoredAuthorization) async throws -> AuthorizationBeginning {
        let deviceCode = Base64URL.text(environment.randomBytes(32))
        // Two live codes that are the same are rarer than anything that could go wrong here; five in a row do not
        // happen.
        for _ in 0..<5 {
            let userCode = UserCode(randomBytes: environment.randomBytes)
            authorization.device = StoredAuthorization.Device(
                deviceCodeHash: TokenHash(of: deviceCode), userCodeHash: userCodeKeys.hash(of: userCode, at: now),
                interval: Self.pollInterval)
            if try await insert(authorization) {
                return .device(
                    deviceCode: deviceCode, userCode: userCode.text,
                    verificationURL: configuration.publicURL.appending("/device"), interval: Self.pollInterval,
                    expiresAt: authorization.expiresAt)
            }
        }
        throw AccountError(.unavailable, "no user code is free")
    }

    /// - Returns: false when the user code is taken.
    private func insert(_ authorization: StoredAuthorization) async throws -> Bool {
        let limit = AuthorizationLimit(
            network: CountedNetwork(of: authorization.address), limit: Self.openPerAddress)
        switch try await store.insertAuthorization(authorization, within: limit) {
        case .inserted: return true
        case .taken: return false
        case .tooMany(let until):
            throw AccountError(
                .rateLimited, "too many authorizations from this address", retryAfter: until - authorization.createdAt)
        }
    }

    // MARK: In the browser, before Apple

    /// Returns the content of the page that asks for a click before Apple is asked.
    ///
    /// Throws ``AccountError/Code/authorizationUnknown`` or ``AccountError/Code/authorizationExpired``.
    package func prompt(_ id: AuthorizationID) async throws -> AuthorizationPrompt {
        let authorization = try await openRedirect(id)
        return AuthorizationPrompt(
            appName: name(of: authorization), provider: authorization.provider?.rawValue,
            expiresAt: authorization.expiresAt)
    }

    /// After the click: where Apple, or the other provider, is asked. May be repeated, since a person may go back and
    /// click again.
    ///
    /// Throws like ``prompt(_:)``, and for a provider ``AccountError/Code/providerUnknown`` and `OpenIDConnectError`.
    /// - Parameter browser: the value of its cookie, if it has one.
    package func proceed(_ id: AuthorizationID, browser: BrowserSecret?) async throws -> SignInBeginning {
        let (attempt, beginning) = try await prepare(try await openRedirect(id), browser: browser)
        try await store.insertAttempt(attempt)
        return beginning
    }

    private func openRedirect(_ id: AuthorizationID) async throws -> StoredAuthorization {
        guard let authorization = try await store.authorization(id), authorization.redirectURI != nil else {
            throw AccountError(.authorizationUnknown, "there is no such authorization")
        }
        guard authorization.isOpen(at: now) else {
            throw AccountError(.authorizationExpired, "the authorization is over")
        }
        return authorization
    }

    func prepare(
        _ authorization: StoredAuthorization, browser: BrowserSecret?
    ) async throws -> (attempt: Attempt, beginning: SignInBeginning) {
        if let provider = authorization.provider {
            return try await providerAttempts.prepare(
                ProviderAttempts.Parameters(
                    purpose: .authorization, authorization: authorization.id, nonce: authorization.nonce,
                    // A challenge is for a fresh proof, or a new way in.
                    isProof: authorization.nonce.map(Challenges.isChallenge) ?? false),
                at: provider.rawValue, browser: browser)
        }
        return try attempts.prepare(
            WebAttempts.Parameters(
                purpose: .authorization, client: authorization.clientID, scopes: authorization.scopes,
                nonce: authorization.nonce, authorization: authorization.id),
            browser: browser)
    }

    /// The app's id stands in for a name that is not configured any more.
    func name(of authorization: StoredAuthorization) -> String {
        configuration.apps.first { $0.id == authorization.app }?.name ?? authorization.app.rawValue
    }
}

extension Authorizations {
    /// Returns the content of the page that names app and device, for a user code in any case and grouping.
    ///
    /// Throws ``AccountError/Code/authorizationUnknown`` for a wrong code, which is counted,
    /// ``AccountError/Code/rateLimited`` after too many, and ``AccountError/Code/authorizationExpired``.
    /// - Parameter address: that of the browser.
    package func prompt(userCode: String, from address: String) async throws -> DevicePrompt {
        let authorization = try await openDevice(userCode, from: address)
        return DevicePrompt(
            appName: name(of: authorization), address: authorization.address, beganAt: authorization.createdAt,
            expiresAt: authorization.expiresAt)
    }

    /// The person allows the device; Apple is asked next. Throws like ``prompt(userCode:from:)``.
    ///
    /// The code is then that browser's: it may begin again, and no other can.
    package func allow(
        userCode: String, from address: String, browser: BrowserSecret?
    ) async throws -> SignInBeginning {
        let authorization = try await openDevice(userCode, from: address)
        let (attempt, beginning) = try await prepare(authorization, browser: browser)
        guard try await store.allowAuthorization(authorization.id, by: attempt, at: now) else {
            throw AccountError(.authorizationUnknown, "the code was used in another browser, or just ended")
        }
        return beginning
    }

    /// The person does not know the device. Throws like ``prompt(userCode:from:)``.
    package func deny(userCode: String, from address: String) async throws {
        let authorization = try await openDevice(userCode, from: address)
        _ = try await store.failAuthorization(authorization.id, .denied, browserHash: nil, at: now)
    }

    private func openDevice(_ typed: String, from address: String) async throws -> StoredAuthorization {
        guard let code = UserCode(typed: typed) else {
            // Not a guess: no code looks like this.
            throw AccountError(.authorizationUnknown, "this has not the form of a user code")
        }
        let moment = now
        let overall = WrongCodeLimit(
            of: .userCodes, from: nil, limit: Self.wrongCodesOverall, during: Self.guessWindow, at: moment)
        let own = WrongCodeLimit(
            of: .userCodes, from: CountedNetwork(of: address), limit: Self.wrongCodesPerAddress,
            during: Self.guessWindow, at: moment)
        switch try await store.tryUserCode(
            UserCodeTrial(codeHashes: userCodeKeys.hashes(of: code), limits: [overall, own]))
        {
        case .refused:
            throw AccountError(.rateLimited, "too many wrong user codes", retryAfter: own.windowEnd - moment)
        case .wrong:
            throw AccountError(.authorizationUnknown, "no device waits with this user code")
        case .found(let authorization):
            guard authorization.isOpen(at: moment) else {
                throw AccountError(.authorizationExpired, "the device of this user code waits no longer")
            }
            return authorization
        }
    }
}

extension Authorizations {
    /// Returns the content of the last page in the browser that was at Apple.
    ///
    /// Throws ``AccountError/Code/authorizationUnknown`` or ``AccountError/Code/browserMismatch``.
    package func ending(_ id: AuthorizationID, browser: BrowserSecret?) async throws -> AuthorizationEnding {
        let authorization = try await ended(id, in: browser)
        return AuthorizationEnding(
            appName: name(of: authorization), provider: authorization.provider?.rawValue,
            next: next(after: authorization), failure: authorization.failure)
    }

    /// Returns the app's redirect URI with a fresh handle, or with the error.
    ///
    /// Works for two minutes after the end and while nothing was redeemed, only in the browser that was at Apple; a
    /// handle made before is dead from then on. Throws ``AccountError/Code/authorizationUnknown``,
    /// ``AccountError/Code/authorizationExpired`` or ``AccountError/Code/browserMismatch``.
    package func returnLocation(_ id: AuthorizationID, browser: BrowserSecret?) async throws -> String {
        let authorization = try await ended(id, in: browser)
        guard let redirectURI = authorization.redirectURI, case .returnToApp = next(after: authorization) else {
            throw AccountError(.authorizationExpired, "there is no way back to the app any more")
        }
        if let failure = authorization.failure {
            return ReturnTarget.location(redirectURI, adding: "error=\(failure)&id=\(id)")
        }
        let handle = Base64URL.text(environment.randomBytes(32))
        let moment = now
        let isGiven = try await store.giveHandle(
            TokenHash(of: handle), expiresAt: moment + Self.handleLifetime, to: id,
            endedAfter: moment - Self.returnWindow)
        guard isGiven else {
            throw AccountError(.authorizationExpired, "the app has its answer already")
        }
        return ReturnTarget.location(redirectURI, adding: "handle=\(handle)&id=\(id)")
    }

    /// The ending is for the browser that brought it about; whoever else knows the id learns nothing.
    private func ended(_ id: AuthorizationID, in browser: BrowserSecret?) async throws -> StoredAuthorization {
        guard let authorization = try await store.authorization(id) else {
            throw AccountError(.authorizationUnknown, "there is no such authorization")
        }
        guard authorization.end != nil || now >= authorization.expiresAt else {
            throw AccountError(.authorizationUnknown, "the authorization has not ended")
        }
        if let hash = authorization.browserHash {
            guard let browser, browser.hash == hash else {
                throw AccountError(
                    .browserMismatch, "the authorization was another browser's, or its cookie is missing")
            }
        }
        return authorization
    }

    private func next(after authorization: StoredAuthorization) -> AuthorizationEnding.Next {
        guard let endedAt = authorization.endedAt else { return .over }
        guard authorization.failure != .withdrawn else { return .withdrawn }
        guard authorization.redirectURI != nil else { return .returnToDevice }
        // Without a browser that was at Apple nobody may be sent anywhere.
        guard authorization.redeemedAt == nil, authorization.browserHash != nil else { return .over }
        let until = endedAt + Self.returnWindow
        return now < until ? .returnToApp(until: until) : .over
    }
}

extension StoredAuthorization {
    var failure: AuthorizationFailure? {
        if case .failed(let failure) = end { failure } else { nil }
    }
}

extension Authorizations {
    /// Gives the app its credential, once.
    ///
    /// A verifier that RFC 7636 does not know is ``AccountError/Code/requestInvalid``, and nothing is looked up. Else,
    /// with a handle it throws ``AccountError/Code/handleInvalid``, whatever is wrong. With a device code
    /// ``AccountError/Code/authorizationPending``, ``AccountError/Code/slowDown``,
    /// ``AccountError/Code/authorizationDenied``, ``AccountError/Code/authorizationExpired``,
    /// ``AccountError/Code/authorizationUnknown``, or ``AccountError/Code/handleInvalid`` when it is used, as it is by
    /// a wrong verifier.
    public func redeem(_ redemption: Redemption) async throws -> AuthorizationCredential {
        let challenge = try Self.challenge(of: redemption.codeVerifier)
        let moment = now
        let code = OwnCode(randomness: environment.randomBytes(32))
        let outcome = try await store.redeemAuthorization(
            AuthorizationRedemption(
                key: redemption.key.hashed, challenge: challenge, codeHash: code.hash,
                codeExpiresAt: moment + OwnCode.lifetime, slowDown: Self.pollInterval, at: moment))
        switch (outcome, redemption.key) {
        case (.redeemed(let authorization), _):
            return try credential(of: authorization, code)
        case (_, .handle), (.used, _):
            throw AccountError(.handleInvalid, "the handle is unknown, spent or expired, or the verifier is wrong")
        case (.unknown, _):
            throw AccountError(.authorizationUnknown, "no authorization has this device code")
        case (.pending, _):
            throw AccountError(.authorizationPending, "the person is not done")
        case (.tooSoon, _):
            throw AccountError(.slowDown, "the device asks too often")
        case (.expired, _), (.failed(.withdrawn), _), (.failed(.expired), _):
            throw AccountError(.authorizationExpired, "the device code is too old")
        case (.failed(let failure), _):
            throw AccountError(.authorizationDenied, "the authorization came to nothing: \(failure)")
        }
    }

    private func credential(
        of authorization: StoredAuthorization, _ code: OwnCode
    ) throws -> AuthorizationCredential {
        guard case .finished(let finish) = authorization.end else {
            throw AccountError(.unavailable, "an authorization was redeemed that holds nothing")
        }
        let result = try seal.openResult(finish, of: authorization.id)
        let state = try authorization.sealedState.map { sealed in
            String(decoding: try seal.open(sealed, row: authorization.id.rawValue, client: "state"), as: UTF8.self)
        }
        return AuthorizationCredential(
            user: Subject(result.user), identityToken: result.identityToken,
            authorizationCode: authorization.provider == nil
                ? AuthorizationCode(result.appleCode ?? code.text) : nil, email: result.email,
            name: result.name, scopes: authorization.scopes, state: state)
    }

    // MARK: Giving up

    /// Ends an authorization that its app has given up. The result for the app is dropped, as long as nobody has
    /// redeemed it; an authorization that is not there, failed or was redeemed stays as it is.
    ///
    /// Throws ``AccountError/Code/requestInvalid`` for a verifier that RFC 7636 does not know.
    package func cancel(_ cancellation: AuthorizationCancellation) async throws {
        let challenge = try Self.challenge(of: cancellation.codeVerifier)
        let authorization: StoredAuthorization?
        switch cancellation.key {
        case .id(let text):
            guard let id = AuthorizationID(receivedText: text) else { return }
            authorization = try await store.authorization(id)
        case .deviceCode(let code):
            authorization = try await store.authorization(deviceCode: TokenHash(of: code))
        }
        guard let authorization, authorization.challenge == challenge else { return }
        _ = try await store.withdrawAuthorization(authorization.id, at: now)
    }

    /// RFC 7636 §4.1 and §4.2: 43 to 128 unreserved characters, and their SHA-256.
    private static func challenge(of verifier: String) throws(AccountError) -> TokenHash {
        guard (43...128).contains(verifier.utf8.count), verifier.utf8.allSatisfy(Self.unreserved.contains) else {
            throw AccountError(
                .requestInvalid, "a code verifier has 43 to 128 unreserved characters", field: "codeVerifier")
        }
        return TokenHash(of: verifier)
    }

    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
}

extension Redemption.Key {
    fileprivate var hashed: AuthorizationRedemption.Key {
        switch self {
        case .handle(let handle): .handle(TokenHash(of: handle))
        case .deviceCode(let code): .deviceCode(TokenHash(of: code))
        }
    }
}
