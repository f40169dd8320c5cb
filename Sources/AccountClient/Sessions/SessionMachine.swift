import AccountAPI
import AccountConnection

/// The state of a client's session: who is signed in, which token is valid, and which record storage has.
///
/// The machine is a value without side effects. Each event changes its state and returns effects, which ``SessionRunner``
/// carries out. The outcome of an effect is another event. So the machine never waits, and decides one thing at a time.
///
/// - One access to storage is under way at a time, and one refresh of a session.
/// - A refresh is sent when its attempt is stored, and its access token is handed out when the successor is stored.
///   A process that dies in between presents the old token again with the same attempt, for which the service has the
///   same successor until something of the answer has been used.
/// - Outcomes that belong to an earlier session are dropped.
struct SessionMachine: Sendable {
    /// The name of this device in the person's list of sessions.
    let deviceName: String?

    /// The record that storage should have; nil until storage has been read.
    var record: StoredRecord?
    /// Whether ``record`` has changes that storage doesn't have.
    var isUnsaved = false
    var access: AccessToken?
    /// Whether the service has answered for the account since the program started.
    var isConfirmed = false
    /// The reason why nobody is signed in.
    var signOutReason = SignOutReason.noSession
    var epoch = SessionEpoch()
    var accountVersion = AccountVersion()
    /// The record that storage had when it was read or written last; empty before.
    var lastSeen = StoredRecord()

    var refresh = Refresh.idle
    /// The callers who wait for the refresh.
    var tokenWaiters: [RequestID] = []
    var ending: Ending?
    /// The sign-in that is under way at Apple.
    var authorization: AuthorizationID?
    /// The sessions that no storage has yet, by the request that waits for it.
    var signInsToStore: [RequestID: SignInToStore] = [:]
    var now: Moment

    private var storageJobs = StorageJobs()
    private var waitingForRecord: [(request: SessionRequest, id: RequestID)] = []
    private var effects: [SessionEffect] = []

    init(deviceName: String?, at moment: Moment) {
        self.deviceName = deviceName
        now = moment
    }

    mutating func handle(_ event: SessionEvent, at moment: Moment) -> [SessionEffect] {
        now = moment
        effects = []
        switch event {
        case .requested(let request, let id): receive(request, id)
        case .accessTokenRefused(let token): if access?.token == token { access = nil }
        case .authorizationBegan(let id):
            cancelAuthorization()
            authorization = id
        case .authorizationEnded(let id): if authorization == id { authorization = nil }
        case .cancelledSignInAnswered(let answer): endUnused(answer.session)
        case .loaded(let result): loaded(result)
        case .saved(let result): saved(result)
        case .refreshed(let result, let presented): refreshed(result, presented: presented)
        case .refreshAbandoned(let presented): refreshAbandoned(presented)
        case .endExplained(let ending, let token): endExplained(ending, of: token)
        }
        return effects
    }

    // MARK: Answers to callers

    var state: SessionState {
        guard let session = record?.session else { return .signedOut(signOutReason) }
        return .signedIn(Account(session, isConfirmed: isConfirmed))
    }

    var snapshot: SessionSnapshot {
        SessionSnapshot(
            record: record ?? StoredRecord(), state: state, epoch: epoch, accountVersion: accountVersion,
            access: access, isRead: record != nil, notSignedInError: notSignedInError)
    }

    /// The error for calls that need somebody to be signed in.
    var notSignedInError: AccountClientError {
        switch signOutReason {
        case .accountMerged(let into): return .sessionEnded(.accountMerged, cause: AccountMerge(into: into))
        case .ended(let code): return .sessionEnded(code)
        case .appleAccessEnded: return .appleAccessEnded()
        default: return AccountClientError(.notSignedIn, "nobody is signed in", hint: "Call signIn() first.")
        }
    }

    /// The error for an answer that belongs to an earlier session: nobody is signed in, or somebody has signed in meanwhile.
    var earlierSessionError: AccountClientError { record?.session == nil ? notSignedInError : .otherSession }

    mutating func act(_ effect: SessionEffect) {
        effects.append(effect)
    }

    mutating func publish() {
        act(.publish(state))
    }

    mutating func succeed(_ id: RequestID) {
        act(.reply(.success(snapshot), to: id))
    }

    mutating func fail(_ id: RequestID, _ error: AccountClientError) {
        act(.reply(.failure(error), to: id))
    }

    // MARK: Requests

    private mutating func receive(_ request: SessionRequest, _ id: RequestID) {
        if case .signOut = request { cancelAuthorization() }
        if case .prepareSignIn = request, record != nil { return load(then: .rereadNames(id)) }
        guard record == nil else { return answer(request, id) }
        waitingForRecord.append((request, id))
        if waitingForRecord.count == 1 { load(then: .firstRead) }
    }

    private mutating func answer(_ request: SessionRequest, _ id: RequestID) {
        switch request {
        case .read, .state, .prepareSignIn: succeed(id)
        case .rereadIfSignedOut:
            guard record?.session == nil else { return succeed(id) }
            // If storage refused to remove a session, that comes first: reading storage would bring the session back.
            guard !isUnsaved else {
                return save(replacing: [.signedOut, .accountDeleted].contains(signOutReason), then: .reply(id))
            }
            load(then: .reread(id, epoch))
        case .store:
            guard isUnsaved else { return succeed(id) }
            if let record, storageJobs.isWriting(record) {
                storageJobs.addStep(.reply(id))
            } else {
                save(then: .reply(id))
            }
        case .accessToken: giveAccessToken(to: id)
        case .sessionRefused(let code, let cause, let epoch):
            guard epoch == self.epoch, let session = record?.session else { return fail(id, earlierSessionError) }
            end(session.refreshToken, code, cause: cause, for: id)
        case .keepName(let name, let user):
            guard record?.pendingName(of: user) != name else { return succeed(id) }
            record?.keepPending(name, of: user)
            save(then: .reply(id))
        case .signIn(let answer, let user, let authorization):
            signIn(answer, user: user, by: authorization, for: id)
        case .signOut:
            succeed(id)
            leave(.signedOut)
            save(replacing: true)
        case .accountTold(let account, let epoch, let version): accountTold(account, epoch, version, for: id)
        case .accountChanged(let account, let epoch): accountChanged(account, epoch, for: id)
        case .standingTold(let standing, let epoch): standingTold(standing, epoch, for: id)
        case .formerStandingTold(let standing, let epoch): formerStandingTold(standing, epoch, for: id)
        case .reauthenticated(let answer, let user, let epoch): reauthenticated(answer, user: user, epoch, for: id)
        case .upgraded(let upgrade, let epoch): upgraded(upgrade, epoch, for: id)
        case .linked(let user, let epoch):
            guard epoch == self.epoch, record?.pendingName(of: user) != nil else { return succeed(id) }
            record?.forgetPendingName(of: user)
            save(then: .reply(id))
        case .userForgotten(let epoch):
            guard epoch == self.epoch, record?.session?.user != nil else { return succeed(id) }
            record?.session?.user = nil
            record?.session?.standing = nil
            publish()
            save(then: .reply(id))
        case .sessionEndedByPerson(let epoch):
            guard epoch == self.epoch else { return succeed(id) }
            leave(.signedOut)
            save(replacing: true, then: .reply(id))
        case .accountDeleted(let user, let epoch):
            guard epoch == self.epoch else { return succeed(id) }
            if let user { record?.forgetPendingName(of: user) }
            leave(.accountDeleted)
            save(replacing: true, then: .reply(id))
        }
    }

    private mutating func cancelAuthorization() {
        if let authorization { act(.cancelAuthorization(authorization)) }
        authorization = nil
    }

    // MARK: The session ends, or another process has changed it

    /// Ends the session as the person wishes. Calls that wait for it fail.
    private mutating func leave(_ reason: SignOutReason) {
        forgetSession(reason)
        dropWork(notSignedInError)
    }

    /// Forgets the session, in memory only.
    mutating func forgetSession(_ reason: SignOutReason) {
        epoch.advance()
        record?.session = nil
        record?.ended = nil
        record?.mergedInto = nil
        access = nil
        isConfirmed = false
        signOutReason = reason
        publish()
    }

    /// Adopts a record that another process has stored.
    ///
    /// If it has another account's session, or none, the machine drops answers to calls of the former session, and callers who
    /// wait for an access token get one of the present session.
    mutating func adopt(_ stored: StoredRecord) {
        let former = record
        // Names that storage doesn't have yet stay: Apple tells them once.
        takePendingNames(of: stored, since: lastSeen)
        let names = record?.pendingNames ?? stored.pendingNames
        record = stored
        record?.pendingNames = names
        lastSeen = stored
        if stored.session == nil {
            let hasAppleEndedIt = stored.ended?.standing?.isEnded == true
            let merged = stored.mergedInto.map { SignOutReason.accountMerged(into: $0) }
            signOutReason = hasAppleEndedIt ? .appleAccessEnded : merged ?? .signedOut
            if hasAppleEndedIt, former?.session != nil { act(.announceAppleAccessEnded) }
        }
        accountVersion.advance()
        guard stored.session?.account.id != former?.session?.account.id else { return publish() }
        epoch.advance()
        access = nil
        isConfirmed = false
        publish()
        restartRefresh()
    }

    // MARK: Storage

    mutating func load(then step: StorageJobs.Step) {
        storageJobs.addLoad(then: step)
        startNextJob()
    }

    /// Writes the record as it is when its turn comes. Calls that wait for their turn share one write.
    mutating func save(replacing: Bool = false, then step: StorageJobs.Step? = nil) {
        isUnsaved = true
        storageJobs.addSave(replacing: replacing, then: step)
        startNextJob()
    }

    private mutating func startNextJob() {
        let record = record ?? StoredRecord()
        switch storageJobs.startNext(writing: record) {
        case .load: act(.load)
        case .save(let replacing): act(.save(record, lastSeen: lastSeen, replacing: replacing))
        case nil: break
        }
    }

    private mutating func loaded(_ result: Result<StoredRecord, AccountClientError>) {
        for step in storageJobs.steps {
            switch step {
            case .firstRead: firstRead(result)
            case .reread(let id, let epoch):
                switch result {
                case .success(let stored):
                    if epoch == self.epoch, record?.session == nil, stored.session != nil { adopt(stored) }
                    succeed(id)
                case .failure(let error): fail(id, error)
                }
            case .rereadNames(let id):
                if case .success(let stored) = result { takePendingNames(of: stored, since: lastSeen) }
                succeed(id)
            case .refresh(let epoch): if epoch == self.epoch { refreshLoaded(result) }
            case .ending(let token): endingLoaded(result, of: token)
            case .reply, .accessToken, .signIn: break
            }
        }
        storageJobs.end()
        startNextJob()
    }

    private mutating func saved(_ result: Result<StoredRecord, AccountClientError>) {
        var failure: AccountClientError?
        switch result {
        case .success(let stored):
            storageJobs.finishWrite()
            takeSaved(stored, sent: storageJobs.sent)
        case .failure(let error): failure = error
        }
        for step in storageJobs.steps {
            switch step {
            case .reply(let id): if let failure { fail(id, failure) } else { succeed(id) }
            case .accessToken(let id): if let failure { fail(id, failure) } else { giveAccessToken(to: id) }
            case .refresh(let epoch): if epoch == self.epoch { refreshSaved(failure) }
            case .ending(let token): endingSaved(failure, of: token)
            case .signIn(let id): signInStored(id, failure)
            case .firstRead, .reread, .rereadNames: break
            }
        }
        storageJobs.end()
        startNextJob()
    }

    private mutating func firstRead(_ result: Result<StoredRecord, AccountClientError>) {
        if case .success(let stored) = result {
            record = stored
            lastSeen = stored
            if signOutReason == .storageUnreadable { signOutReason = .noSession }
            if let into = stored.mergedInto { signOutReason = .accountMerged(into: into) }
            if stored.ended?.standing?.isEnded == true { signOutReason = .appleAccessEnded }
            publish()
        }
        let waiting = waitingForRecord
        waitingForRecord = []
        for (request, id) in waiting {
            guard record == nil, case .failure(let error) = result else {
                answer(request, id)
                continue
            }
            switch request {
            case .state:
                signOutReason = .storageUnreadable
                publish()
                succeed(id)
            case .signOut:
                // A record that cannot be read can still be removed. The reply says that nobody knows whose it was.
                succeed(id)
                record = StoredRecord()
                leave(.signedOut)
                save(replacing: true)
            case .prepareSignIn where (error.cause as? SecretStorageError)?.code.isReplaceable == true:
                record = StoredRecord()
                succeed(id)
            default: fail(id, error)
            }
        }
    }

    /// - Parameter sent: the record that was written. Storage may have another process's refresh token or session.
    private mutating func takeSaved(_ stored: StoredRecord, sent: StoredRecord?) {
        let isReplacedNext = storageJobs.willReplace
        let isCurrent = record == sent && !isReplacedNext
        if isCurrent { isUnsaved = false }
        // The stored names are those that were sent, together with another process's.
        takePendingNames(of: stored, since: sent ?? lastSeen)
        guard stored.session?.account.id == sent?.session?.account.id else {
            if !isReplacedNext { adopt(stored) }
            return
        }
        let (formerState, formerAccount) = (state, record?.session?.account)
        if isCurrent {
            record = stored
            lastSeen = stored
        } else {
            // Memory has gone on meanwhile, and is written by the next job.
            takeChanges(of: stored, since: sent, isReplacedNext: isReplacedNext)
        }
        if record?.session?.account != formerAccount { accountVersion.advance() }
        if state != formerState { publish() }
    }

    /// Adopts what another process has changed of the session. Changes in memory stay.
    private mutating func takeChanges(of stored: StoredRecord, since sent: StoredRecord?, isReplacedNext: Bool) {
        let (token, sentToken) = (stored.session?.refreshToken, sent?.session?.refreshToken)
        if !isReplacedNext, let seen = sent?.session, let other = stored.session,
            record?.session?.account.id == other.account.id
        {
            record?.session?.join(lastSeen: seen, with: other)
        }
        if token == sentToken {
            lastSeen = stored
        } else if let token, record?.session?.refreshToken == sentToken {
            // A successor that another process has stored must not be lost.
            lastSeen = stored
            record?.session?.refreshToken = token
            record?.session?.attempt = stored.session?.attempt
        }
    }

    /// Adopts the changes that another process has made to its pending names. Changes in memory stay.
    /// - Parameter seen: the record from which the one in memory was made.
    private mutating func takePendingNames(of stored: StoredRecord, since seen: StoredRecord) {
        record?.joinPendingNames(lastSeen: seen, with: stored)
        lastSeen.pendingNames = stored.pendingNames
    }
}
