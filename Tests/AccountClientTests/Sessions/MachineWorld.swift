import AccountAPI
import AccountConnection
import Foundation

@testable import AccountClient

/// A ``SessionMachine``, the storage and the account service around it, and another process with the same storage.
///
/// It is a value: a test goes on from each of its states in every way. ``moves`` are what may happen next, and
/// ``violations`` say which rule was broken.
struct MachineWorld {
    private(set) var machine: SessionMachine
    private(set) var violations: [String] = []
    private(set) var published: SessionState?
    private(set) var stored = StoredRecord()
    /// Whether nobody else touches the storage. Some rules hold only then.
    let isAlone: Bool

    // The requests that wait for an answer.
    private var waiting: [RequestID: Request] = [:]
    private var storageAccess: SessionEffect?
    private var refreshes: [(token: String, attempt: String, epoch: SessionEpoch)] = []
    private var explanations: [String] = []
    /// A call whose answer may come at any time.
    private var call: (account: AccountBody, epoch: SessionEpoch, version: AccountVersion)?

    // The values that have been there.
    private var everStored: Set<String> = []
    private var storedAttempts: Set<[String]> = []
    /// The newest state of each session's account that the machine has had.
    private var newest: [Int: Int] = [:]
    private var dead: Set<String> = []
    private var issued: Set<String> = []
    /// The last session that a sign-in has brought. Earlier ones are over.
    private var lastSignIn = 0
    /// The sessions that another process has signed out or replaced. Storage must not have them again.
    private var replaced: Set<Int> = []
    private var otherProcessHasName = false

    // The account service: the number of changes of each session's account, the latest generation of each session, and
    // those that have ended.
    private var changes: [Int: Int] = [:]
    private var generations: [Int: Int] = [:]
    private var ended: Set<Int> = []
    private var lastSession = 0

    private var lastNumber = 0
    private var authorization = AuthorizationID(number: 0)
    private var seconds = 0
    private let start = ContinuousClock.now

    init(isAlone: Bool = true) {
        self.isAlone = isAlone
        machine = SessionMachine(deviceName: nil, at: Moment(instant: start, secondsSince1970: 0, attempt: ""))
    }

    /// Whether nothing is under way.
    var isQuiet: Bool { storageAccess == nil && refreshes.isEmpty && explanations.isEmpty }

    /// Whatever may happen now.
    var moves: [Move] {
        var moves = underWay
        moves += Request.allCases.map { .request($0) }
        moves += [.beginAuthorization, .endAuthorization, .refuseAccessToken, .timePasses, .callBegins]
        moves += [.serviceEndsSession]
        if !isAlone {
            moves += [.otherProcessRenews, .otherProcessSignsOut, .otherProcessSignsIn, .otherProcessKeepsName]
        }
        return moves
    }

    /// Answers to what the machine has asked for.
    var underWay: [Move] {
        var moves: [Move] = []
        if storageAccess != nil { moves += [.storageAnswers, .storageFails] }
        if !refreshes.isEmpty { moves += [.refreshAnswers, .refreshIsLost] }
        if let token = refreshes.first?.token, token != stored.session?.refreshToken {
            moves.append(.refreshIsAbandoned)
        }
        if !explanations.isEmpty { moves += Explanation.allCases.map { .endIsExplained($0) } }
        return moves
    }

    mutating func make(_ move: Move) {
        switch move {
        case .request(let request): make(request)
        case .beginAuthorization:
            authorization = AuthorizationID(number: nextNumber())
            handle(.authorizationBegan(authorization))
        case .endAuthorization: handle(.authorizationEnded(authorization))
        case .refuseAccessToken: if let token = machine.access?.token { handle(.accessTokenRefused(token)) }
        case .timePasses: seconds += 600
        case .callBegins:
            call = presentSession.map { (account($0), machine.epoch, machine.snapshot.accountVersion) }
        case .storageAnswers: answerStorage(fails: false)
        case .storageFails: answerStorage(fails: true)
        case .refreshAnswers: answerRefresh(isLost: false)
        case .refreshIsLost: answerRefresh(isLost: true)
        case .refreshIsAbandoned: if let token = takeRefresh() { handle(.refreshAbandoned(presented: token)) }
        case .endIsExplained(let explanation): explain(explanation)
        case .serviceEndsSession: if let session = presentSession { ended.insert(session) }
        case .otherProcessRenews:
            guard let token = stored.session?.refreshToken, case .success(let answer) = exchange(token) else { return }
            stored.session?.refreshToken = answer.session.refreshToken
            stored.session?.attempt = nil
            remember()
        case .otherProcessSignsOut:
            replaceStoredSession()
            stored = StoredRecord(pendingNames: stored.pendingNames)
        case .otherProcessKeepsName:
            stored.keepPending(FullName(givenName: "Bob"), of: "bob")
            otherProcessHasName = true
        case .otherProcessSignsIn:
            replaceStoredSession()
            let answer = newSession()
            stored.session = StoredSession(
                user: "other", refreshToken: answer.session.refreshToken, account: answer.account)
            remember()
        }
    }

    /// Lets everything end that is under way.
    mutating func comeToRest() {
        var steps = 0
        while !isQuiet, steps < 200 {
            steps += 1
            if storageAccess != nil {
                make(.storageAnswers)
            } else if !refreshes.isEmpty {
                make(.refreshAnswers)
            } else {
                make(.endIsExplained(.otherwise))
            }
        }
        if !isQuiet { violations.append("it never comes to rest") }
        if !waiting.isEmpty { violations.append("nobody answers \(waiting.values)") }
        if machine.refresh != .idle || machine.ending != nil || !machine.tokenWaiters.isEmpty {
            violations.append("something is left over")
        }
        if !machine.isUnsaved, let record = machine.record, isAlone,
            record.session?.refreshToken != stored.session?.refreshToken
        {
            violations.append("storage has another session than memory")
        }
        if let published, machine.record != nil, published != machine.state {
            violations.append("the last state told is not the present one")
        }
    }

    // MARK: Events

    private mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private mutating func replaceStoredSession() {
        if let session = stored.session { replaced.insert(Self.session(of: session.refreshToken)) }
    }

    private var presentSession: Int? { machine.record?.session.map { Self.session(of: $0.refreshToken) } }

    private mutating func make(_ request: Request) {
        let snapshot = machine.snapshot
        let standing = AppleStanding(state: "revoked", askedAt: Int64(seconds))
        let session = presentSession ?? 0
        let isChange = request == .accountChanged || request == .upgraded
        if isChange, snapshot.session != nil { changes[session, default: 0] += 1 }
        let account = account(session)
        let value: SessionRequest =
            switch request {
            case .read: .read
            case .state: .state
            case .rereadIfSignedOut: .rereadIfSignedOut
            case .store: .store
            case .accessToken: .accessToken
            case .prepareSignIn: .prepareSignIn
            case .keepName: .keepName(FullName(givenName: "Ada"), user: "ada")
            case .signIn: .signIn(newSession(), user: "ada", authorization)
            case .signOut: .signOut
            case .accountTold: .accountTold(account, snapshot.epoch, snapshot.accountVersion)
            case .accountToldLate:
                .accountTold(
                    call?.account ?? account, call?.epoch ?? snapshot.epoch, call?.version ?? snapshot.accountVersion)
            case .accountChanged: .accountChanged(account, snapshot.epoch)
            case .standingTold: .standingTold(standing, snapshot.epoch)
            case .formerStandingTold: .formerStandingTold(standing, snapshot.epoch)
            case .reauthenticated:
                .reauthenticated(
                    ReauthenticationAnswer(
                        authenticatedAt: APITime(secondsSince1970: 0), accessToken: snapshot.access?.token ?? "",
                        expiresIn: 600), user: nil, snapshot.epoch)
            case .sessionRefused: .sessionRefused(.sessionEnded, cause: Self.refusal, snapshot.epoch)
            case .endedByPerson: .sessionEndedByPerson(snapshot.epoch)
            case .accountDeleted: .accountDeleted(user: "ada", snapshot.epoch)
            case .signInWithoutApple: .signIn(newSession(), user: nil, authorization)
            case .upgraded:
                .upgraded(
                    AccountUpgrade(account: account, user: "ada", access: snapshot.access), snapshot.epoch)
            case .linked: .linked(user: "ada", snapshot.epoch)
            case .userForgotten: .userForgotten(snapshot.epoch)
            }
        // Nobody is proven to be there without a session.
        if case .reauthenticated = request, snapshot.access == nil { return }
        // The service tells of an account only in answers to calls of a session.
        if [.accountTold, .accountChanged, .upgraded].contains(request), snapshot.session == nil { return }
        if case .accountToldLate = request, call == nil { return }
        let id = RequestID(number: nextNumber())
        waiting[id] = request
        handle(.requested(value, id))
    }

    private mutating func handle(_ event: SessionEvent) {
        let epoch = machine.epoch
        let moment = Moment(
            instant: start + .seconds(seconds), secondsSince1970: Int64(seconds), attempt: "attempt-\(nextNumber())")
        for effect in machine.handle(event, at: moment) {
            take(effect)
        }
        checkOwnAccount(machine.record)
        if let access = machine.access { issued.insert(access.token) }
        if machine.record?.session == nil, epoch != machine.epoch { dead.formUnion(issued) }
    }

    private mutating func take(_ effect: SessionEffect) {
        switch effect {
        case .load, .save:
            if storageAccess != nil { violations.append("storage is used by two at a time") }
            storageAccess = effect
        case .refresh(let token, let attempt, _):
            if refreshes.contains(where: { $0.epoch == machine.epoch }) {
                violations.append("two refreshes of one session are under way")
            }
            if !storedAttempts.contains([token, attempt]) {
                violations.append("a refresh was sent before its attempt was stored")
            }
            refreshes.append((token, attempt, machine.epoch))
        case .explainEnd(let token): explanations.append(token)
        case .publish(let state): published = state
        case .reply(let result, let id): check(result, waiting.removeValue(forKey: id))
        case .endUnused, .cancelAuthorization, .announceAppleAccessEnded: break
        }
    }

    private mutating func check(_ result: Result<SessionSnapshot, AccountClientError>, _ request: Request?) {
        guard let request else { return violations.append("somebody was answered twice") }
        switch (request, result) {
        case (.accessToken, .success(let now)): checkToken(now)
        case (.signIn, .success(let now)), (.signInWithoutApple, .success(let now)):
            if now.session == nil { violations.append("a sign-in ended without a session") }
            dead.formUnion(issued.subtracting([now.access?.token ?? ""]))
            lastSignIn = now.session.map { Self.session(of: $0.refreshToken) } ?? lastSignIn
        default: break
        }
    }

    private mutating func checkToken(_ now: SessionSnapshot) {
        guard let access = now.access, let session = now.session else {
            return violations.append("there is no token in the answer")
        }
        let (number, generation) = (Self.session(of: access.token), Self.generation(of: access.token))
        if dead.contains(access.token) { violations.append("a token of an ended session was handed out") }
        if isAlone, number < lastSignIn { violations.append("a token of the session before was handed out") }
        if number != Self.session(of: session.refreshToken) {
            violations.append("a token of another session was handed out")
        }
        if !everStored.contains("refresh-\(number).\(generation)") {
            violations.append("a token was handed out before its refresh token was stored")
        }
        if let token = stored.session?.refreshToken, Self.session(of: token) == number,
            Self.generation(of: token) < generation
        {
            violations.append("storage has an older refresh token than the one in use")
        }
    }

    /// Checks that the machine's session doesn't have an account that the service told for another session, or one from
    /// before a change.
    private mutating func checkOwnAccount(_ record: StoredRecord?) {
        guard let session = record?.session else { return }
        let number = Self.session(of: session.refreshToken)
        if session.account.id != account(number).id {
            violations.append("a session has another one's account")
        }
        let state = session.account.realUserStatus ?? 0
        if isAlone, state < newest[number, default: 0] { violations.append("an old state took a newer one's place") }
        newest[number] = state
    }

    // MARK: Storage

    private mutating func answerStorage(fails: Bool) {
        let access = storageAccess
        storageAccess = nil
        let failure = AccountClientError(.storage, "no", cause: SecretStorageError(.locked, "no"))
        switch access {
        case .load?: handle(.loaded(fails ? .failure(failure) : .success(stored)))
        case .save(let record, let lastSeen, let replacing)?:
            guard !fails else { return handle(.saved(.failure(failure))) }
            stored =
                replacing
                ? record.replacing(lastSeen: lastSeen, stored) : record.joined(lastSeen: lastSeen, with: stored)
            if otherProcessHasName, stored.pendingName(of: "bob") == nil {
                violations.append("a name that another process keeps was lost")
            }
            remember()
            if let session = stored.session, replaced.contains(Self.session(of: session.refreshToken)) {
                violations.append("a session is stored again that another process has signed out or replaced")
            }
            handle(.saved(.success(stored)))
        default: break
        }
    }

    private mutating func remember() {
        guard let session = stored.session else { return }
        everStored.insert(session.refreshToken)
        if let attempt = session.attempt { storedAttempts.insert([session.refreshToken, attempt]) }
    }

    // MARK: The account service

    private static let refusal = ServiceError.answered(
        status: 401, code: .sessionEnded, message: "", details: .none)

    /// `refresh-3.1` and `access-3.1` belong to the third session.
    private static func session(of token: String) -> Int { parts(token).first ?? 0 }
    private static func generation(of token: String) -> Int { parts(token).last ?? 0 }
    private static func parts(_ token: String) -> [Int] {
        token.split(whereSeparator: { "-.".contains($0) }).compactMap { Int($0) }
    }

    /// The account of a session as it is now. Its `realUserStatus` is the number of changes.
    private func account(_ session: Int) -> AccountBody {
        AccountBody(
            id: "acc_\(session)", name: nil, email: nil, emailVerified: true, isPrivateEmail: false,
            createdAt: APITime(secondsSince1970: 0), realUserStatus: changes[session, default: 0])
    }

    private static func body(_ session: Int, _ generation: Int) -> SessionBody {
        SessionBody(
            accessToken: "access-\(session).\(generation)", expiresIn: 600,
            refreshToken: "refresh-\(session).\(generation)")
    }

    private mutating func newSession() -> SignInAnswer {
        lastSession += 1
        generations[lastSession] = 0
        return SignInAnswer(
            account: account(lastSession), session: Self.body(lastSession, 0), isNewAccount: true)
    }

    /// A token's parent is exchanged for the same successor again; an older one ends the session.
    private mutating func exchange(_ token: String) -> Result<RefreshAnswer, ServiceError> {
        let (session, generation) = (Self.session(of: token), Self.generation(of: token))
        guard let latest = generations[session], !ended.contains(session) else { return .failure(Self.refusal) }
        if generation == latest { generations[session] = latest + 1 }
        guard generation >= latest - 1 else {
            ended.insert(session)
            if isAlone { violations.append("a refresh token was used again") }
            return .failure(
                .answered(status: 401, code: .refreshTokenReused, message: "", details: .none))
        }
        return .success(RefreshAnswer(session: Self.body(session, generation + 1)))
    }

    private mutating func takeRefresh() -> String? {
        guard let token = refreshes.first?.token, let last = refreshes.lastIndex(where: { $0.token == token }) else {
            return nil
        }
        // An answer doesn't say which request it belongs to. The machine takes it for that of the last request with the token.
        refreshes.remove(at: last)
        return token
    }

    private mutating func answerRefresh(isLost: Bool) {
        guard let token = takeRefresh() else { return }
        let result = exchange(token)
        handle(.refreshed(isLost ? .failure(.unreachable(CancellationError())) : result, presented: token))
    }

    private mutating func explain(_ explanation: Explanation) {
        guard !explanations.isEmpty else { return }
        let ending: EndExplanation =
            switch explanation {
            case .revoked: .byApple(AppleStanding(state: "revoked", askedAt: Int64(seconds)))
            case .stillAuthorized: .byApple(AppleStanding(state: "authorized", askedAt: Int64(seconds)))
            case .otherwise: .otherwise
            case .unknown: .unknown
            }
        handle(.endExplained(ending, of: explanations.removeFirst()))
    }
}
