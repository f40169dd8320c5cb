import AccountAPI
import AccountConnection

/// The calls of an app to the account service, on behalf of the person who is signed in.
///
/// ``AccountClient`` is what an app sees of them. They are a value apart from it, because sequences of events, buttons and
/// observers of the system make calls, too, and don't keep the client alive.
struct AccountCalls: Sendable {
    let service: SessionService
    let session: SessionRunner
    /// Keeps the password that the person wants this device to keep.
    let passwords: PasswordStore
    /// The name of this device in the person's list of sessions; nil for none.
    let deviceName: String?

    var connection: ServiceConnection { service.connection }
    var environment: ClientEnvironment { service.environment }

    init(
        connection: ServiceConnection, app: String, storage: any SecretStorage, deviceName: String,
        environment: ClientEnvironment
    ) {
        self.deviceName = deviceName.isEmpty ? nil : deviceName
        service = SessionService(connection: connection, environment: environment)
        let backend = connection.backend.absoluteString
        let name = SecretName(service: app, account: "session at \(backend)")
        passwords = PasswordStore(
            storage: storage, name: SecretName(service: app, account: "password at \(backend)"))
        session = SessionRunner(
            service: service, store: RecordStore(storage: storage, name: name), deviceName: self.deviceName)
    }

    /// The answer to a call, and the session and the account as they were when the call began.
    struct Answered<Value: Sendable>: Sendable {
        var value: Value
        var epoch: SessionEpoch
        var accountVersion: AccountVersion
    }

    /// Makes a call on behalf of the account that is signed in now. If another account has signed in meanwhile, here or in
    /// another process, it doesn't make the call.
    ///
    /// If the service refuses an access token that should be valid, this asks for another one, once: clocks and keys change.
    /// - Parameters:
    ///   - action: the action, for errors: "asking for the sessions".
    ///   - work: one call with an access token.
    func call<Value: Sendable>(
        doing action: String, _ work: (_ accessToken: String) async throws(ServiceError) -> Value
    ) async throws(AccountClientError) -> Value {
        let now = try await session.ask(.read)
        guard let account = now.session?.account.id else { throw now.notSignedInError }
        return try await answer(doing: action, as: account, work).value
    }

    /// Makes a call as ``call(doing:_:)`` does.
    /// - Parameter account: the account to act for; nil for any that is signed in.
    func answer<Value: Sendable>(
        doing action: String, as account: String? = nil,
        _ work: (_ accessToken: String) async throws(ServiceError) -> Value
    ) async throws(AccountClientError) -> Answered<Value> {
        var isRepeated = false
        while true {
            let (token, now) = try await session.accessToken()
            if let account, now.session?.account.id != account {
                throw AccountClientError.otherSession
            }
            do throws(ServiceError) {
                return Answered(
                    value: try await work(token), epoch: now.epoch, accountVersion: now.accountVersion)
            } catch {
                let later = await session.snapshot
                guard later.epoch == now.epoch else {
                    throw later.session == nil ? later.notSignedInError : .otherSession
                }
                if error.isAboutAccessToken, !isRepeated {
                    isRepeated = true
                    await session.discardAccessToken(token)
                } else if let code = error.endOfSession {
                    // Throws when the session has ended. Otherwise there is another one, or another token.
                    _ = try await session.ask(.sessionRefused(code, cause: error, now.epoch))
                } else {
                    // The account was upgraded or its password removed, and not on this device.
                    if error.code == .notByPassword { await followAccountChange() }
                    throw AccountClientError(error, doing: action)
                }
            }
        }
    }

    /// Tells the session of a change that the service has made. A storage that fails is no error here, because it doesn't undo
    /// the change, and the caller needs the service's answer. The next change of the record stores this one, too. Until then, a
    /// start of the app finds the former record.
    /// - Returns: the session as memory has it.
    @discardableResult
    func note(_ change: SessionRequest) async throws(AccountClientError) -> SessionSnapshot {
        do throws(AccountClientError) {
            return try await session.ask(change)
        } catch let error where error.code == .storage {
            return await session.snapshot
        }
    }

    /// Makes a call whose request works only once, as ``answer(doing:as:_:)`` does and up to three times. After a lost answer,
    /// it first asks whether the request has arrived, also if it has asked for another access token since.
    /// - Parameters:
    ///   - send: sends the request.
    ///   - arrived: returns the answer of a request that has arrived; nil if it hasn't.
    func answerOnce<Value: Sendable>(
        doing action: String, as account: String,
        _ send: (_ accessToken: String) async throws(ServiceError) -> Value,
        unlessArrived arrived: (_ accessToken: String) async throws(ServiceError) -> Value?
    ) async throws(AccountClientError) -> Answered<Value> {
        // Whether the service may have carried out a call whose answer was lost.
        var isUncertain = false
        return try await answer(doing: action, as: account) { token throws(ServiceError) -> Value in
            try await environment.retries(3) { () async throws(ServiceError) -> Value in
                if isUncertain, let value = try await arrived(token) { return value }
                do throws(ServiceError) {
                    return try await send(token)
                } catch {
                    if error.mayHaveLostAnswer { isUncertain = true }
                    throw error
                }
            }
        }
    }
}
