import AppleID
package import AppleIDTypes
import Logging
import ServiceLifecycle

/// Asks Apple once a day about each refresh token that is held, because notifications may never come.
///
/// When each is due stands in the store, a day after it was obtained or last asked about, so that the checks of a day
/// lie as the sign-ins did, also after a time without a server, see ``CheckRules/next(after:due:)``; and a restart goes
/// on where the last run was. A dead token ends the sessions of its identity, an hour after it was found; a wrong
/// configuration, or an Apple that does not answer, never does.
package struct DailyCheck: NamedService {
    static let pause: Duration = .minutes(1)
    /// The number of checks between two pauses of ``batchPause``.
    static let batchSize = 20
    static let batchPause: Duration = .seconds(1)
    static let atOnce = 4

    let apple: AppleIDClient
    let store: AccountTransactions
    let tokenSeal: Seal
    let bell: EventBell
    let environment: AppleIDEnvironment
    let logger: Logger

    private var now: Timestamp { Timestamp(environment.now()) }

    package func run() async {
        await cancelWhenGracefulShutdown {
            await self.remind()
            // Each in a loop of its own: asking about a million tokens takes hours, and the end of dead grants must not wait for that.
            await withTaskGroup { group in
                group.addTask {
                    while (try? await Task.sleep(for: Self.pause)) != nil { await self.askAboutDue() }
                }
                group.addTask {
                    while (try? await Task.sleep(for: Self.pause)) != nil { await self.endDeadGrants() }
                }
            }
        }
    }

    /// Says what is stopped, for whoever has just started the server.
    private func remind() async {
        do {
            for stop in try await store.stoppedChecks() { tell(of: stop) }
        } catch {
            logger.warning("It could not be found out which daily checks are stopped.", metadata: ["error": "\(error)"])
        }
    }

    private func tell(of stop: CheckStop) {
        logger.error(
            "The daily check of a client is stopped: too many of its tokens died at once. No session was ended.",
            metadata: ["client": "\(stop.clientID)", "checked": "\(stop.checked)", "died": "\(stop.died)"])
    }

    /// Asks about everything that is due, one batch of each client after the other, so that none waits for one with
    /// many tokens.
    package func askAboutDue() async {
        await withoutFailing {
            var clients = apple.clients.keys.sorted { $0.rawValue < $1.rawValue }
            while !clients.isEmpty, !Task.isCancelled {
                var withMore: [ClientID] = []
                for client in clients {
                    guard try await checkBatch(of: client) else { continue }
                    withMore.append(client)
                    try await environment.sleep(Self.batchPause)
                }
                clients = withMore
            }
        }
    }

    /// Ends what has been dead for long enough.
    package func endDeadGrants() async {
        await withoutFailing {
            while !Task.isCancelled,
                let grant = try await store.endNextDeadGrant(foundBefore: now - CheckRules.window, at: now)
            {
                bell.notify(grant.account)
                logger.info(
                    "A refresh token of Apple's was dead.",
                    metadata: ["account": "\(grant.account)", "endedAccess": "\(grant.endedAccess)"])
            }
        }
    }

    private func withoutFailing(_ work: () async throws -> Void) async {
        do {
            try await work()
        } catch is CancellationError {
            // The server is shutting down: what is on loan is due again when the loan is over.
        } catch {
            logger.warning(
                "The daily check could not go on; the next round tries again.", metadata: ["error": "\(error)"])
        }
    }

    /// - Returns: whether more of this client's may be due.
    private func checkBatch(of client: ClientID) async throws -> Bool {
        let moment = now
        let due = try await store.claimTokenChecks(
            of: client, at: moment, leasedUntil: moment + CheckRules.lease, limit: Self.batchSize)
        return try await checkAll(due) && due.count == Self.batchSize
    }

    /// - Returns: whether to go on with this client.
    private func checkAll(_ due: [TokenCheck]) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            var rest = due[...]
            for check in rest.prefix(Self.atOnce) { group.addTask { try await self.perform(check) } }
            rest = rest.dropFirst(Self.atOnce)
            var goesOn = true
            while let mayGoOn = try await group.next() {
                goesOn = goesOn && mayGoOn
                // A check that is not begun stays on loan for minutes and is then due again.
                if goesOn, let next = rest.popFirst() { group.addTask { try await self.perform(next) } }
            }
            return goesOn
        }
    }

    /// - Returns: whether it makes sense to ask Apple about another token of this client.
    private func perform(_ check: TokenCheck) async throws -> Bool {
        let (result, goesOn) = await ask(check)
        switch try await store.endTokenCheck(check.token, result, at: now) {
        case .goesOn:
            return goesOn
        case .stops(let stop):
            tell(of: stop)
            return false
        case .isStopped:
            return false
        }
    }

    private func ask(_ check: TokenCheck) async -> (TokenCheckResult, goesOn: Bool) {
        let client = check.token.clientID
        // The app has moved to another team, and the person's identity not yet: Apple's answer would be about somebody
        // who is not known here.
        guard apple.clients[client]?.team == check.team else { return (.unusable, true) }
        let (row, clientName) = (check.token.id.rawValue, client.rawValue)
        do {
            let token = try tokenSeal.open(check.token.sealed, row: row, client: clientName)
            let refresh = try await apple.refresh(
                RefreshToken(String(decoding: token, as: UTF8.self)), client: client, subject: check.subject)
            let replacement = try refresh.refreshToken.map {
                try tokenSeal.seal(Array($0.rawValue.utf8), row: row, client: clientName)
            }
            return (.alive(replacement: replacement), true)
        } catch let error as AppleIDError {
            switch error.kind {
            case .grantIsDead:
                return (.dead, true)
            case .configuration:
                logger.error(
                    "Apple does not accept this service's configuration, so that tokens cannot be checked.",
                    metadata: ["client": "\(client)", "error": "\(error)"])
                return (.unknown, false)
            case .transient:
                logger.warning(
                    "Apple does not answer, so that tokens cannot be checked now.",
                    metadata: ["client": "\(client)", "error": "\(error)"])
                return (.unknown, false)
            case .token, .signInAgain, .onePerson:
                logger.warning(
                    "What Apple answered to a token cannot be used.",
                    metadata: ["client": "\(client)", "error": "\(error)"])
                return (.unusable, true)
            }
        } catch {
            logger.error(
                "A refresh token of Apple's does not open; is the key ring complete?",
                metadata: ["token": "\(check.token.id)", "error": "\(error)"])
            // Not before tomorrow: what does not open now will not in an hour, and an hour at a time all such tokens
            // would come to be due within the same one.
            return (.unusable, true)
        }
    }
}

/// One refresh token of Apple's that is due to be asked about, on loan to the server that does.
package struct TokenCheck: Hashable, Sendable {
    package var token: AppleToken
    package var identity: IdentityID
    /// The team of the identity.
    package var team: TeamID
    package var subject: Subject

    package init(token: AppleToken, identity: IdentityID, team: TeamID, subject: Subject) {
        self.token = token
        self.identity = identity
        self.team = team
        self.subject = subject
    }
}

/// The result of asking Apple about a refresh token.
package enum TokenCheckResult: Hashable, Sendable {
    /// The token lives. Where Apple gave another token, that is kept in its place, sealed for the same row.
    case alive(replacement: [UInt8]?)
    /// The token is dead: only Apple's own word makes it so.
    case dead
    /// Apple has answered, and nothing can be learnt from it; or the token does not open. It is not asked about again
    /// before a day is over.
    case unusable
    /// Nothing is known: Apple did not answer, or not to us.
    case unknown
}

/// The consequence of one check's answer for the other checks of its client.
package enum TokenCheckSettlement: Hashable, Sendable {
    case goesOn
    /// This answer was too many: the client's check has just been stopped.
    case stops(CheckStop)
    /// The client's check had been stopped before, while this check was under way.
    case isStopped
}

/// The outcome for a dead token when its time to wait was over.
package struct DeadGrant: Hashable, Sendable {
    package var account: AccountID
    package var identity: IdentityID
    /// False when the person has authorized the app again since: then the token is only forgotten.
    package var endedAccess: Bool

    package init(account: AccountID, identity: IdentityID, endedAccess: Bool) {
        self.account = account
        self.identity = identity
        self.endedAccess = endedAccess
    }
}

/// The daily check of one client has been stopped, because far more of its tokens died than people leave: something is
/// wrong with the client at Apple, or with this service. Nobody's session ends until an operator lets it go on.
package struct CheckStop: Hashable, Sendable {
    package var clientID: ClientID
    package var at: Timestamp
    /// Checks of the hour before.
    package var checked: Int64
    /// How many of those found a dead token.
    package var died: Int64

    package init(clientID: ClientID, at: Timestamp, checked: Int64, died: Int64) {
        self.clientID = clientID
        self.at = at
        self.checked = checked
        self.died = died
    }
}
