package import AppleID
package import AppleIDTypes

/// How far a run of a transfer is.
package struct TransferProgress: Hashable, Sendable {
    /// People whom this run has dealt with.
    package var done = 0
    /// Those of them about whom it has failed.
    package var failed = 0
    /// People whom this run has to deal with, more or less.
    package var total: Int
    /// Requests a second.
    package var rate: Double
}

/// The counts of one run of a transfer.
package struct TransferOutcome: Hashable, Sendable {
    /// People with a transfer subject since this run, or moved by it.
    package var succeeded = 0
    /// People who were moved meanwhile, because they signed in, or whose account is gone.
    package var settledBefore = 0
    package var failed: [TransferFailure: Int] = [:]
    /// People who are left because of the run's limit.
    package var left = 0

    package init() {}

    /// People about whom it has failed.
    package var failures: Int { failed.values.reduce(0, +) }

    mutating func add(_ result: TransferResult) {
        switch result {
        case .succeeded: succeeded += 1
        case .settledBefore: settledBefore += 1
        case .failed(let failure): failed[failure, default: 0] += 1
        case .refused: failed[.appleRefused, default: 0] += 1
        }
    }
}

enum TransferResult: Sendable {
    case succeeded
    case settledBefore
    case failed(TransferFailure)
    /// Apple refuses to tell about a person, which is not in the store yet: it may refuse everybody by now.
    case refused(note: @Sendable () async throws -> Void)
}

/// An error that ends a run of a transfer before its end. What was done before is kept.
package enum TransferError: Error, Hashable, Sendable {
    /// Apple has refused the first people, and nobody else was asked about.
    case firstPeopleRefused(Int)
    /// Apple has refused people in a row, and then those about whom it had answered before. Nobody of them is noted.
    case everybodyRefused(Int)
    /// Apple gave the sending team a transfer subject that leads the receiving team nowhere.
    case notUsableByTarget
}

/// Goes through people: the first alone, until one has succeeded, then several at once.
///
/// A wrong team, key or app shows with the first people, and not after thousands. A run that goes on where another one
/// ended has its success already, so people whom Apple refused before don't keep it from the rest.
struct TransferRun<Person: Sendable>: Sendable {
    /// People who are asked about one by one, until one has succeeded.
    static var trials: Int { 5 }
    static var batchSize: Int { 40 }
    /// Questions on their way to Apple at once. The rate is the pace's.
    static var atOnce: Int { 8 }
    /// Refusals in a row after which the run asks whether Apple refuses everybody.
    static var mostRefusals: Int { 20 }

    let total: Int
    let limit: Int?
    /// Whether somebody was asked about with success before this run.
    let hasSucceededBefore: Bool
    /// The next people, after those before.
    let next: @Sendable (_ limit: Int) async throws -> [Person]
    let perform: @Sendable (Person) async throws -> TransferResult
    /// Whether Apple still answers about people about whom it answered before.
    let isAnswering: @Sendable () async throws -> Bool
    let rate: @Sendable () async -> Double
    let progress: @Sendable (TransferProgress) -> Void

    /// How far the run is.
    private struct State {
        var outcome = TransferOutcome()
        var progress: TransferProgress
        /// Refusals since the last success.
        var refusals: [@Sendable () async throws -> Void] = []

        /// Keeps the refusals, which concern these people alone.
        mutating func noteRefusals() async throws {
            let notes = refusals
            refusals = []
            for note in notes { try await note() }
        }
    }

    func run() async throws -> TransferOutcome {
        var state = State(
            progress: TransferProgress(total: limit.map { min($0, total) } ?? total, rate: await rate()))
        progress(state.progress)
        var hasSucceeded = hasSucceededBefore
        while true {
            let room = limit.map { $0 - state.progress.done } ?? .max
            guard room > 0 else { break }
            let page = try await next(min(Self.batchSize, room))
            guard !page.isEmpty else { break }
            var rest = page[...]
            while !hasSucceeded, let person = rest.popFirst() {
                let result = try await perform(person)
                try await note(result, &state)
                switch result {
                case .failed: break
                // The next run tries others.
                case .refused: try await state.noteRefusals()
                case .succeeded, .settledBefore: hasSucceeded = true
                }
                if !hasSucceeded, state.progress.done >= Self.trials, state.progress.total > state.progress.done {
                    throw TransferError.firstPeopleRefused(state.progress.done)
                }
            }
            try await performAll(rest, &state)
        }
        try await state.noteRefusals()
        state.outcome.left = max(0, total - state.progress.done)
        return state.outcome
    }

    private func performAll(_ people: ArraySlice<Person>, _ state: inout State) async throws {
        let perform = perform
        try await withThrowingTaskGroup(of: TransferResult.self) { group in
            var rest = people
            for person in rest.prefix(Self.atOnce) { group.addTask { try await perform(person) } }
            rest = rest.dropFirst(Self.atOnce)
            while let result = try await group.next() {
                try await note(result, &state)
                if let person = rest.popFirst() { group.addTask { try await perform(person) } }
            }
        }
    }

    private func note(_ result: TransferResult, _ state: inout State) async throws {
        state.outcome.add(result)
        state.progress.done += 1
        switch result {
        case .succeeded, .settledBefore: try await state.noteRefusals()
        case .failed: state.progress.failed += 1
        case .refused(let note):
            state.progress.failed += 1
            state.refusals.append(note)
            if state.refusals.count >= Self.mostRefusals {
                guard try await isAnswering() else {
                    throw TransferError.everybodyRefused(state.refusals.count)
                }
                try await state.noteRefusals()
            }
        }
        state.progress.rate = await rate()
        progress(state.progress)
    }
}

/// The sending team's half of a transfer: asks Apple for the transfer subject of each person, and keeps it.
///
/// A run that was interrupted goes on where it was: people whose transfer subject is kept are not asked about again.
package struct TransferExport: Sendable {
    let store: AccountTransactions
    let questions: TransferQuestions
    /// Asks for the receiving team, where its key is here, too: then the first person is tried to the end.
    let target: TransferQuestions?
    let environment: AppleIDEnvironment

    package init(
        store: AccountTransactions, questions: TransferQuestions, target: TransferQuestions? = nil,
        environment: AppleIDEnvironment = .live
    ) {
        self.store = store
        self.questions = questions
        self.target = target
        self.environment = environment
    }

    /// - Parameters:
    ///   - limit: how many people at most; nil for all.
    ///   - progress: told after each person.
    /// - Throws: ``TransferError``; `AppleIDError` where Apple does not answer, or refuses the team's configuration.
    package func run(
        from source: TeamID, to team: TeamID, limit: Int? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferOutcome {
        let trial = TransferTrial()
        let hasSucceededBefore = try await store.hasExported(from: source, to: team)
        let pages = TransferPages<PersonToExport, IdentityID>(
            beginsWithTrial: !hasSucceededBefore, key: { $0.identity },
            load: { [store] part, last, limit in
                try await store.peopleToExport(from: source, to: team, part, after: last, limit: limit)
            })
        let run = TransferRun<PersonToExport>(
            total: try await store.countToExport(from: source, to: team), limit: limit,
            hasSucceededBefore: hasSucceededBefore, next: { try await pages.next($0) },
            perform: { [self] person in try await export(person, from: source, to: team, trial) },
            isAnswering: { [self] in try await isAnswering(from: source, to: team) },
            rate: { [questions] in await questions.rate }, progress: progress)
        return try await run.run()
    }

    private func export(
        _ person: PersonToExport, from source: TeamID, to team: TeamID, _ trial: TransferTrial
    ) async throws -> TransferResult {
        let transferSubject: Subject
        do {
            transferSubject = try await questions.transferSubject(of: person.subject, to: team)
            if let target, await !trial.isDone { try await prove(transferSubject, by: target, trial) }
        } catch let error as AppleIDError where error.kind == .onePerson {
            let refusal = TransferFailure.Thrown(failure: .appleRefused)
            let note: @Sendable () async throws -> Void = { [self] in
                _ = try await keep(.failure(refusal), about: person, from: source, to: team)
            }
            guard person.hasFailed else { return .refused(note: note) }
            try await note()
            return .failed(.appleRefused)
        }
        let failure = try await keep(.success(transferSubject), about: person, from: source, to: team)
        if let failure { return .failed(failure) }
        return .succeeded
    }

    private func keep(
        _ answer: Result<Subject, TransferFailure.Thrown>, about person: PersonToExport, from source: TeamID,
        to team: TeamID
    ) async throws -> TransferFailure? {
        let moment = Timestamp(environment.now())
        let id = TransferID(at: moment, randomness: environment.randomBytes(10))
        let failures = try await store.keep(
            [ExportedPerson(person: person, id: id, answer: answer)], from: source, to: team, at: moment)
        return failures.compactMap { $0 }.first
    }

    private func isAnswering(from source: TeamID, to team: TeamID) async throws -> Bool {
        await questions.renewToken()
        for subject in try await store.lastExported(from: source, to: team, limit: 3) {
            do {
                _ = try await questions.transferSubject(of: subject, to: team)
                return true
            } catch let error as AppleIDError where error.kind == .onePerson {
                continue
            }
        }
        return false
    }

    /// The receiving team must find the person, before thousands of subjects lead nowhere.
    private func prove(_ subject: Subject, by target: TransferQuestions, _ trial: TransferTrial) async throws {
        do {
            _ = try await target.person(ofTransferSubject: subject)
            await trial.finish()
        } catch let error as AppleIDError where error.kind == .onePerson {
            throw TransferError.notUsableByTarget
        }
    }
}

/// The receiving team's half: asks Apple who each person is now, and moves them.
///
/// A run that was interrupted goes on where it was. People who sign in meanwhile are moved by that.
package struct TransferImport: Sendable {
    /// People of a file in one transaction.
    static let batchSize = 200

    let store: AccountTransactions
    let questions: TransferQuestions
    let deletesOnConsentRevoked: Bool
    let environment: AppleIDEnvironment

    /// - Parameter deletesOnConsentRevoked: see ``AccountConfiguration/deletesOnConsentRevoked``.
    package init(
        store: AccountTransactions, questions: TransferQuestions, deletesOnConsentRevoked: Bool = false,
        environment: AppleIDEnvironment = .live
    ) {
        self.deletesOnConsentRevoked = deletesOnConsentRevoked
        self.store = store
        self.questions = questions
        self.environment = environment
    }

    /// - Parameters:
    ///   - limit: how many people at most; nil for all.
    ///   - progress: told after each person.
    /// - Throws: as ``TransferExport/run(from:to:limit:progress:)``.
    package func run(
        to team: TeamID, limit: Int? = nil, progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferOutcome {
        let hasSucceededBefore = try await store.hasMoved(to: team)
        let pages = TransferPages<PersonTransfer, TransferID>(
            beginsWithTrial: !hasSucceededBefore, key: { $0.id },
            load: { [store] part, last, limit in
                try await store.peopleToImport(to: team, part, after: last, limit: limit)
            })
        let run = TransferRun<PersonTransfer>(
            total: try await store.countToImport(to: team), limit: limit,
            hasSucceededBefore: hasSucceededBefore, next: { try await pages.next($0) },
            perform: { [self] transfer in try await move(transfer) },
            isAnswering: { [self] in try await isAnswering(to: team) },
            rate: { [questions] in await questions.rate }, progress: progress)
        return try await run.run()
    }

    private func move(_ transfer: PersonTransfer) async throws -> TransferResult {
        guard let subject = transfer.transferSubject else { return .settledBefore }
        let person: TransferredPerson
        do {
            person = try await questions.person(ofTransferSubject: subject)
        } catch let error as AppleIDError where error.kind == .onePerson {
            let note: @Sendable () async throws -> Void = { [store, environment] in
                try await store.noteImportRefused(transfer.id, at: Timestamp(environment.now()))
            }
            guard transfer.state == .failed else { return .refused(note: note) }
            try await note()
            return .failed(.appleRefused)
        }
        let moment = Timestamp(environment.now())
        let outcome = try await store.move(
            transfer.id,
            to: TransferTarget(
                team: transfer.target, subject: person.subject,
                relayAddress: person.isPrivateEmail ? person.email : nil),
            at: moment, by: .operator, identityID: IdentityID(at: moment, randomness: environment.randomBytes(10)),
            deletion: deletesOnConsentRevoked
                ? DeletionHandle(randomness: environment.randomBytes(32)).hash : nil)
        switch outcome {
        case .moved: return .succeeded
        case .movedBefore, .gone: return .settledBefore
        case .failed(let failure): return .failed(failure)
        }
    }
}

extension TransferImport {
    private func isAnswering(to team: TeamID) async throws -> Bool {
        await questions.renewToken()
        for subject in try await store.lastMoved(to: team, limit: 3) {
            do {
                _ = try await questions.person(ofTransferSubject: subject)
                return true
            } catch let error as AppleIDError where error.kind == .onePerson {
                continue
            }
        }
        return false
    }
}

/// Whether the receiving team has found a person of this run.
private actor TransferTrial {
    private(set) var isDone = false

    func finish() { isDone = true }
}
