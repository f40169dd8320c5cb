import AccountAPI
import AccountConnection
import TaskSignals

/// Runs a client's ``SessionMachine``: brings it events, carries out its effects, and hands its replies to callers.
///
/// Only this actor uses the machine, and the machine alone decides.
actor SessionRunner {
    nonisolated let states = SessionBroadcast()
    private let store: RecordStore
    private let service: SessionService
    private var machine: SessionMachine
    private var replies: [RequestID: Reply] = [:]
    private var authorizations: [AuthorizationID: @Sendable () -> Void] = [:]
    private var lastNumber = 0

    private typealias Reply = @Sendable (Result<SessionSnapshot, AccountClientError>) -> Void

    init(service: SessionService, store: RecordStore, deviceName: String?) {
        self.service = service
        self.store = store
        machine = SessionMachine(deviceName: deviceName, at: service.environment.moment)
    }

    // MARK: Asking the machine

    /// The machine's knowledge now, whether or not storage has been read.
    var snapshot: SessionSnapshot { machine.snapshot }

    /// The present state, after storage has been read.
    func state() async -> SessionState {
        do throws(AccountClientError) {
            return try await ask(.state).state
        } catch {
            return machine.state
        }
    }

    /// Waits for the machine's reply, also when the caller is cancelled.
    func ask(_ request: SessionRequest) async throws(AccountClientError) -> SessionSnapshot {
        let id = RequestID(number: nextNumber())
        let result = await withCheckedContinuation { continuation in
            replies[id] = { continuation.resume(returning: $0) }
            handle(.requested(request, id))
        }
        return try result.get()
    }

    /// An access token that is good for half a minute at least, and the session that it belongs to.
    ///
    /// If a caller is cancelled, the call ends at once. A refresh goes on for the others.
    func accessToken() async throws(AccountClientError) -> (token: String, now: SessionSnapshot) {
        let id = RequestID(number: nextNumber())
        let reply = OneShot<SessionSnapshot>()
        replies[id] = { result in reply.deliver(result.mapError { $0 }) }
        handle(.requested(.accessToken, id))
        let now: SessionSnapshot
        do {
            now = try await reply.value()
        } catch {
            // The reply's own error, or the caller's cancellation.
            throw error as? AccountClientError
                ?? AccountClientError(.cancelled, "the caller was cancelled while the session was being renewed")
        }
        guard let access = now.access else { throw now.notSignedInError }
        return (access.token, now)
    }

    /// Makes the next call ask for another access token, unless that has happened already.
    func discardAccessToken(_ accessToken: String) {
        handle(.accessTokenRefused(accessToken))
    }

    // MARK: Authorizations

    /// Asks the person, to sign in or to prove that they are there. A new authorization cancels the one before it,
    /// which throws `cancelled`.
    func withAuthorization<Value: Sendable>(
        _ work: @escaping @Sendable (AuthorizationID) async throws(AccountClientError) -> Value
    ) async throws(AccountClientError) -> Value {
        let id = AuthorizationID(number: nextNumber())
        handle(.authorizationBegan(id))
        let task = Task { () -> Result<Value, AccountClientError> in
            do throws(AccountClientError) {
                return .success(try await work(id))
            } catch {
                return .failure(error)
            }
        }
        authorizations[id] = { task.cancel() }
        defer { endAuthorization(id) }
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    /// Ends an authorization. The machine ignores its later results.
    func endAuthorization(_ id: AuthorizationID) {
        authorizations[id] = nil
        handle(.authorizationEnded(id))
    }

    /// Ends the session that a sign-in has opened after it was cancelled.
    func endCancelledSignIn(_ answer: SignInAnswer) {
        handle(.cancelledSignInAnswered(answer))
    }

    // MARK: Running the machine

    private func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func handle(_ event: SessionEvent) {
        for effect in machine.handle(event, at: service.environment.moment) {
            carryOut(effect)
        }
    }

    private func carryOut(_ effect: SessionEffect) {
        switch effect {
        case .load: Task { await load() }
        case .save(let record, let lastSeen, let replacing):
            Task { await save(record, lastSeen: lastSeen, replacing: replacing) }
        case .refresh(let token, let attempt, let deviceName):
            Task { await refresh(token, attempt: attempt, deviceName: deviceName) }
        case .explainEnd(let token):
            Task { handle(.endExplained(await service.explainEnd(of: token), of: token)) }
        case .endUnused(let token, let attempt, let access):
            Task { _ = await service.end(token, attempt: attempt, access: access) }
        case .cancelAuthorization(let id): authorizations[id]?()
        case .publish(let state): states.publish(state)
        case .announceAppleAccessEnded: service.environment.appleAccessEnded()
        case .reply(let result, let id): replies.removeValue(forKey: id)?(result)
        }
    }

    private func load() async {
        do throws(AccountClientError) {
            handle(.loaded(.success(try await store.load())))
        } catch {
            handle(.loaded(.failure(error)))
        }
    }

    private func save(_ record: StoredRecord, lastSeen: StoredRecord, replacing: Bool) async {
        do throws(AccountClientError) {
            handle(.saved(.success(try await store.save(record, lastSeen: lastSeen, replacing: replacing))))
        } catch {
            handle(.saved(.failure(error)))
        }
    }

    private func refresh(_ token: String, attempt: String, deviceName: String?) async {
        do throws(ServiceError) {
            let answer = try await service.refresh(token, attempt: attempt, deviceName: deviceName) { [store] in
                await store.hasSession(with: token)
            }
            handle(answer.map { .refreshed(.success($0), presented: token) } ?? .refreshAbandoned(presented: token))
        } catch {
            handle(.refreshed(.failure(error), presented: token))
        }
    }
}
