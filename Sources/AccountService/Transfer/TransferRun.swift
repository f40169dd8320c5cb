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
        }
    }
}

enum TransferResult: Sendable {
    case succeeded
    case settledBefore
    case failed(TransferFailure)
}

/// An error that ends a run of a transfer before its end. What was done before is kept.
package enum TransferError: Error, Hashable, Sendable {
    /// Apple has refused the first people, and nobody else was asked about.
    case firstPeopleRefused(Int)
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

    let total: Int
    let limit: Int?
    /// Whether somebody was asked about with success before this run.
    let hasSucceededBefore: Bool
    /// The next people, after those before.
    let next: @Sendable (_ limit: Int) async throws -> [Person]
    let perform: @Sendable (Person) async throws -> TransferResult
    let rate: @Sendable () async -> Double
    let progress: @Sendable (TransferProgress) -> Void

    func run() async throws -> TransferOutcome {
        var outcome = TransferOutcome()
        var state = TransferProgress(total: limit.map { min($0, total) } ?? total, rate: await rate())
        progress(state)
        var hasSucceeded = hasSucceededBefore
        while true {
            let room = limit.map { $0 - state.done } ?? .max
            guard room > 0 else { break }
            let page = try await next(min(Self.batchSize, room))
            guard !page.isEmpty else { break }
            var rest = page[...]
            while !hasSucceeded, let person = rest.popFirst() {
                let result = try await perform(person)
                note(result, &outcome, &state)
                if case .failed = result {} else { hasSucceeded = true }
                state.rate = await rate()
                progress(state)
                if !hasSucceeded, state.done >= Self.trials, state.total > state.done {
                    throw TransferError.firstPeopleRefused(state.done)
                }
            }
            try await performAll(rest, &outcome, &state)
        }
        outcome.left = max(0, total - state.done)
        return outcome
    }

    private func performAll(
        _ people: ArraySlice<Person>, _ outcome: inout TransferOutcome, _ state: inout TransferProgress
    ) async throws {
        let perform = perform
        try await withThrowingTaskGroup(of: TransferResult.self) { group in
            var rest = people
            for person in rest.prefix(Self.atOnce) { group.addTask { try await perform(person) } }
            rest = rest.dropFirst(Self.atOnce)
            while let result = try await group.next() {
                note(result, &outcome, &state)
                state.rate = await rate()
                progress(state)
                if let person = rest.popFirst() { group.addTask { try await perform(person) } }
            }
        }
    }

    private func note(_ result: TransferResult, _ outcome: inout TransferOutcome, _ state: inout TransferProgress) {
        outcome.add(result)
        state.done += 1
        if case .failed = result { state.failed += 1 }
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
            rate: { [questions] in await questions.rate }, progress: progress)
        return try await run.run()
    }

    private func export(
        _ person: PersonToExport, from source: TeamID, to team: TeamID, _ trial: TransferTrial
    ) async throws -> TransferResult {
        let id = TransferID(at: Timestamp(environment.now()), randomness: environment.randomBytes(10))
        let answer: Result<Subject, TransferFailure.Thrown>
        do {
            let subject = try await questions.transferSubject(of: person.subject, to: team)
            if let target, await !trial.isDone { try await prove(subject, by: target, trial) }
            answer = .success(subject)
        } catch let error as AppleIDError where error.kind == .onePerson {
            answer = .failure(TransferFailure.Thrown(failure: .appleRefused))
        }
        let failures = try await store.keep(
            [ExportedPerson(person: person, id: id, answer: answer)], from: source, to: team,
            at: Timestamp(environment.now()))
        for case let failure? in failures { return .failed(failure) }
        return .succeeded
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
    let environment: AppleIDEnvironment

    package init(
        store: AccountTransactions, questions: TransferQuestions, environment: AppleIDEnvironment = .live
    ) {
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
            rate: { [questions] in await questions.rate }, progress: progress)
        return try await run.run()
    }

    private func move(_ transfer: PersonTransfer) async throws -> TransferResult {
        guard let subject = transfer.transferSubject else { return .settledBefore }
        let person: TransferredPerson
        do {
            person = try await questions.person(ofTransferSubject: subject)
        } catch let error as AppleIDError where error.kind == .onePerson {
            try await store.noteImportRefused(transfer.id, at: Timestamp(environment.now()))
            return .failed(.appleRefused)
        }
        let moment = Timestamp(environment.now())
        let outcome = try await store.move(
            transfer.id,
            to: TransferTarget(
                team: transfer.target, subject: person.subject,
                relayAddress: person.isPrivateEmail ? person.email : nil),
            at: moment, by: .operator, identityID: IdentityID(at: moment, randomness: environment.randomBytes(10)))
        switch outcome {
        case .moved: return .succeeded
        case .movedBefore, .gone: return .settledBefore
        case .failed(let failure): return .failed(failure)
        }
    }
}

/// Whether the receiving team has found a person of this run.
private actor TransferTrial {
    private(set) var isDone = false

    func finish() { isDone = true }
}
