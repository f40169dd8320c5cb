import AppleID
import AppleIDTypes
import Foundation

/// Authorizations by Apple for apps where Apple's framework is not: through a browser and back, or with a device code.
///
/// None of it makes a session or an account: what an app redeems, it presents at ``SignIn/native(_:from:)``.
public struct Authorizations: Sendable {
    /// From the beginning to Apple's answer, and for a device to the redemption.
    static let lifetime: Duration = .minutes(10)
    /// How long an authorization is remembered after that: longer than handles and codes of ours live, so that nothing
    /// that was handed out is forgotten before its time.
    static let memory: Duration = .minutes(10)
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
    /// to themselves all day still finds a waiting device less often than once in 175,000 days for each that waits.
    /// What it costs: a hundred networks that each use up their own limit deny the device flow, and nothing else, to
    /// all.
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
    let store: any AccountStore
    let seal: Seal
    let userCodeKeys: UserCodeKeys
    let environment: AppleIDEnvironment

    var now: Timestamp { Timestamp(environment.now()) }

    // MARK: Beginning

    /// Begins an authorization for an app.
    /// - Parameter address: the network address of the asking device, which the person will see.
    /// - Throws: ``AccountError/Code/appUnknown``, ``AccountError/Code/returnTargetMismatch``,
    ///   ``AccountError/Code/requestInvalid`` with its `field`, and ``AccountError/Code/rateLimited`` for an address
    ///   with too many authorizations that nobody has finished.
    public func begin(_ request: BeginAuthorization, from address: String) async throws -> AuthorizationBeginning {
        let order = try AuthorizationOrder(request, apps: configuration.apps)
        let moment = now
        // All of it random: whoever knows it can open the page.
        let id = AuthorizationID(rawValue: AuthorizationID.prefix + Base32.encode(environment.randomBytes(16)))
        var authorization = StoredAuthorization(
            id: id, app: order.app.id, redirectURI: request.redirectURI, device: nil, challenge: order.challenge,
            clientID: order.client, scopes: order.scopes, nonce: request.nonce,
            sealedState: try request.state.map { try seal.seal(Array($0.utf8), row: id.rawValue, client: "state") },
            address: address, createdAt: moment, expiresAt: moment + Self.lifetime,
            keptUntil: moment + Self.lifetime + Self.memory)
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

    /// For the page that asks for a click.
    ///
    /// Throws ``AccountError/Code/authorizationUnknown`` or ``AccountError/Code/authorizationExpired``.
    public func prompt(_ id: AuthorizationID) async throws -> AuthorizationPrompt {
        let authorization = try await openRedirect(id)
        return AuthorizationPrompt(appName: name(of: authorization), expiresAt: authorization.expiresAt)
    }

    /// After the click: where Apple is asked. May be repeated, since a person may go back and click again.
    /// - Parameter browser: the value of its cookie, if it has one.
    public func proceed(_ id: AuthorizationID, browser: BrowserSecret?) async throws -> SignInBeginning {
        let (attempt, beginning) = try prepare(try await openRedirect(id), browser: browser)
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
    ) throws -> (attempt: Attempt, beginning: SignInBeginning) {
        try attempts.prepare(
            WebAttempts.Order(
                purpose: .authorization, client: authorization.clientID, scopes: authorization.scopes,
                nonce: authorization.nonce, authorization: authorization.id),
            browser: browser)
    }

    /// The app's id stands in for a name that is not configured any more.
    func name(of authorization: StoredAuthorization) -> String {
        configuration.apps.first { $0.id == authorization.app }?.name ?? authorization.app.rawValue
    }
}
