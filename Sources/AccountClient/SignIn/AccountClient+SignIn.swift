import AccountAPI
import AccountConnection
import Crypto
import Foundation
import TaskSignals

#if canImport(Darwin)
    public import AuthenticationServices
#else
    public import OpenAuthenticationServices
#endif

#if os(watchOS)
    /// The window over which Apple's sheet comes. watchOS has none, so there is no value of it.
    public typealias PresentationAnchor = Never
#else
    /// The window over which Apple's sheet comes: a `UIWindow` or an `NSWindow`. Off Apple's systems a value has no effect.
    public typealias PresentationAnchor = ASPresentationAnchor
#endif

extension AccountClient {
    /// Asks the person to sign in with Apple: by Apple's sheet where there is one, else in a browser.
    ///
    /// A second call cancels the first. Off Apple's platforms, a cancelled call first tells the account service, which takes
    /// two seconds at most. Apple tells the name only once. So the client stores it until the account service has it, and a
    /// sign-in that fails half-way doesn't lose it.
    ///
    /// A call that is cancelled while the account service answers it throws `cancelled`, and signs nobody in. The request goes
    /// on in the background, for a minute at most, and the client ends the session that it opens. If the program ends before,
    /// or the answer is lost, the session stays in the person's list of sessions until it expires. This holds for all sign-ins.
    /// A sign-in with the handle of a conflict replaces the present session at the account service, so after a late
    /// cancellation nobody may be signed in.
    ///
    /// Throws `cancelled` when the person gave up, for which no message is due; `authorizationFailed`,
    /// `backendUnavailable`, `refused`, `storage`, `notConfigured`, `invalidResponse`.
    /// - Parameters:
    ///   - scopes: what is asked for; an empty list asks for the identifier only.
    ///   - presentationAnchor: the window over which Apple's sheet comes; nil leaves the choice to the system. Without
    ///     meaning where there is no sheet.
    @discardableResult
    public func signIn(
        scopes: [ASAuthorization.Scope] = [.fullName, .email], presentationAnchor: PresentationAnchor? = nil
    ) async throws(AccountClientError) -> Account {
        try await calls.signIn(ask(for: scopes, over: presentationAnchor))
    }

    /// Signs in with the credential that the app's own `ASAuthorizationController` was given.
    ///
    /// A second call of either form cancels the first. Throws as ``signIn(scopes:presentationAnchor:)`` does. After `refused`
    /// with `token_already_used`, `code_already_used` or `nonce_already_used`, make a new authorization.
    @discardableResult
    public func signIn(with credential: AppleCredential) async throws(AccountClientError) -> Account {
        try await calls.signIn(with: credential)
    }

    /// The way in which the person is asked: a test's script, Apple's sheet, or the way that the configuration names.
    func ask(for scopes: [ASAuthorization.Scope], over anchor: PresentationAnchor?) -> AccountCalls.Authorize {
        #if canImport(Darwin)
            if usesAppleSheet {
                return { nonce, state in
                    try await ControllerRun.perform(scopes: scopes, nonce: nonce, state: state, over: anchor)
                }
            }
        #endif
        return flowAuthorization(for: scopes.map(\.rawValue))
    }
}

extension AccountCalls {
    /// The outcome of an authorization, and the state that it was begun with.
    struct Authorized: Sendable {
        var credential: AppleCredential
        var state: String?
    }

    /// Asks the person, with the nonce as Apple gets it, and the state.
    typealias Authorize = @Sendable (_ nonce: String, _ state: String) async throws(AccountClientError) -> Authorized

    func signIn(_ authorize: @escaping Authorize) async throws(AccountClientError) -> Account {
        try await session.withAuthorization { id throws(AccountClientError) in
            try await prepare()
            let nonce = Nonce(environment.randomText(byteCount: 32))
            return try await present(try await authorizedCredential(for: nonce, by: authorize), id)
        }
    }

    func signIn(with credential: AppleCredential) async throws(AccountClientError) -> Account {
        try await session.withAuthorization { id throws(AccountClientError) in
            try await prepare()
            return try await present(credential, id)
        }
    }

    /// Asks the person, and refuses the answer to another request.
    func authorizedCredential(for nonce: Nonce, by authorize: Authorize) async throws(AccountClientError)
        -> AppleCredential
    {
        let state = environment.randomText(byteCount: 32)
        let authorized = try await authorize(nonce.hash, state)
        guard authorized.state == state else {
            throw AccountClientError(.invalidResponse, "the authorization answers another request")
        }
        var credential = authorized.credential
        credential.nonce = nonce.text
        return credential
    }

    /// Checks the backend and storage before the person is sent to Apple. The new record replaces one that is damaged, or
    /// that a locked keyring keeps.
    func prepare() async throws(AccountClientError) {
        try checkBackend()
        _ = try await session.ask(.prepareSignIn)
    }

    /// Refuses a backend to which no secret may be sent.
    func checkBackend() throws(AccountClientError) {
        if let fault = BackendURL.fault(of: connection.backend) {
            throw AccountClientError(.notConfigured, fault)
        }
    }

    private func present(_ credential: AppleCredential, _ id: AuthorizationID) async throws(AccountClientError)
        -> Account
    {
        try Self.check(credential)
        let name = FullName(credential.fullName)
        let pendingName = await session.snapshot.record.pendingName(of: credential.user)
        let request = NativeSignInRequest(
            identityToken: credential.identityToken, authorizationCode: credential.authorizationCode,
            nonce: credential.nonce, fullName: name ?? pendingName, clientID: credential.clientID,
            deviceName: deviceName)
        // Apple tells a name once. So it is stored before anything else can fail.
        if let name { _ = try await session.ask(.keepName(name, user: credential.user)) }
        let answer: SignInAnswer
        do throws(ServiceError) {
            answer = try await environment.retries(4) { () async throws(ServiceError) in
                try await requestSession("/v1/sign-in/apple", request, silenceLimit: .whileAppleIsAsked)
            }
        } catch {
            throw AccountClientError(error, doing: "signing in")
        }
        return try await take(answer, user: credential.user, id)
    }

    /// The time that a request has after its sign-in was cancelled. The client's transport gives up earlier, a transport of the
    /// app's own perhaps not.
    private static let timeToFinish = Duration.seconds(60)

    /// Sends a request that opens a session, once.
    ///
    /// If the sign-in is cancelled meanwhile, this throws `cancelled` at once. The request goes on: the service may open a
    /// session all the same, and only its answer has the tokens with which the client can end that session.
    /// - Parameters:
    ///   - accessToken: the token of the present session; nil for a request without one.
    ///   - silenceLimit: the maximum time without a byte from the service.
    func requestSession(
        _ path: String, _ request: some Encodable & Sendable, accessToken: String? = nil,
        silenceLimit: Duration = .seconds(10)
    ) async throws(ServiceError) -> SignInAnswer {
        guard !Task.isCancelled else { throw .cancelled }
        let answered = OneShot<SignInAnswer>()
        let sending = Task {
            do throws(ServiceError) {
                let answer = try await environment.countingFromRequest { () async throws(ServiceError) in
                    // The service may write about a new device, in the person's language.
                    try await connection.send(
                        "POST", path, body: request, accessToken: accessToken, languages: environment.languages(),
                        silenceLimit: silenceLimit, as: SignInAnswer.self)
                }
                answered.deliver(.success(answer))
            } catch {
                answered.deliver(.failure(error))
            }
        }
        do {
            return try await answered.value()
        } catch let error as ServiceError {
            throw error
        } catch {
            Task {
                // Without an answer, there is no session that the client could end.
                let late = try? await answered.value(
                    within: Self.timeToFinish, sleep: environment.sleep, otherwise: .failure(ServiceError.cancelled))
                sending.cancel()
                if let late { await session.endCancelledSignIn(late) }
            }
            throw .cancelled
        }
    }

    /// Adopts the session of a sign-in. If the sign-in was cancelled meanwhile, the client ends its session.
    func take(
        _ answer: SignInAnswer, user: String?, _ id: AuthorizationID
    ) async throws(AccountClientError) -> Account {
        if Task.isCancelled { await session.endAuthorization(id) }
        let now = try await session.ask(.signIn(answer, user: user, id))
        guard let account = now.state.account else { throw now.notSignedInError }
        return account
    }

    /// Checks a credential that is to prove something in the present session, and returns its nonce.
    /// - Parameter source: the call that gives apps a nonce for it, for the hint.
    static func checkedNonce(
        of credential: AppleCredential, from source: String, file: String = #fileID, line: UInt = #line
    ) throws(AccountClientError) -> String {
        try check(credential)
        guard let nonce = credential.nonce else {
            throw AccountClientError(
                .notConfigured, "a credential without a nonce proves nothing here",
                hint: "Give the request the hash of a nonce from \(source).", file: file, line: line)
        }
        return nonce
    }

    private static func check(_ credential: AppleCredential) throws(AccountClientError) {
        guard credential.identityToken != nil || credential.authorizationCode != nil else {
            throw AccountClientError(.invalidResponse, "the credential has neither identity token nor code")
        }
        guard credential.identityToken != nil || credential.clientID != nil else {
            throw AccountClientError(
                .notConfigured, "a code without an identity token needs to say whose it is",
                hint: "Set clientID to the bundle or Services identifier that the code was given to.")
        }
    }
}

/// A random value that makes an identity token good for one sign-in only.
struct Nonce: Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The lowercase hexadecimal SHA-256. Apple gets this as `nonce`, so only the account service sees the value itself,
    /// together with the token.
    var hash: String { SHA256.hash(data: Data(text.utf8)).hexadecimal }
}
