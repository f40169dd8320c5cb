package import AppleID
package import AppleIDTypes

/// The sending team's half of a transfer: asks Apple for the transfer subject of each person, and keeps it.
///
/// A run that was interrupted goes on where it was: people whose transfer subject is kept are not asked about again.
package struct TransferExport: Sendable {
    /// People on whom the receiving team's key is tried before all are taken for lost.
    static let trials = 5

    let store: AccountTransactions
    let questions: TransferQuestions
    /// Asks for the receiving team, where its key is here, too: then the first people are tried to the end.
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
        if hasSucceededBefore { try await proveEarlier(from: source, to: team, trial) }
        let run = TransferRun<PersonToExport, IdentityID>(
            total: try await store.countToExport(from: source, to: team), limit: limit,
            hasSucceededBefore: hasSucceededBefore,
            pages: TransferPages(
                beginsWithTrial: !hasSucceededBefore, key: { $0.identity },
                load: { [store] part, last, limit in
                    try await store.peopleToExport(from: source, to: team, part, after: last, limit: limit)
                }),
            perform: { [self] person, isAlone in
                try await export(person, isAlone: isAlone, from: source, to: team, trial)
            },
            noteFailure: { [self] person, failure in
                _ = try await keep(.failure(failure), about: person, from: source, to: team)
            },
            isAnswering: { [self] in try await isAnswering(from: source, to: team) },
            renewToken: { [questions] in await questions.renewToken() },
            rate: { [questions] in await questions.rate }, progress: progress)
        let outcome = try await run.run()
        if outcome.succeeded == 0, await trial.isRefused { throw TransferError.notUsableByTarget }
        return outcome
    }

    private func export(
        _ person: PersonToExport, isAlone: Bool, from source: TeamID, to team: TeamID, _ trial: TransferTrial
    ) async throws -> TransferResult {
        let transferSubject: Subject
        do {
            transferSubject = try await questions.transferSubject(of: person.subject, to: team, isAlone: isAlone)
            if let target, await !trial.isDone { try await prove(transferSubject, by: target, trial) }
        } catch let error as AppleIDError where error.kind == .onePerson {
            return .refused(isNew: !person.hasFailed)
        } catch let silence as TransferSilence {
            return .silent(silence)
        }
        let failure = try await keep(.transferSubject(transferSubject), about: person, from: source, to: team)
        return failure.map(TransferResult.failed) ?? .succeeded()
    }

    private func keep(
        _ answer: ExportedPerson.Answer, about person: PersonToExport, from source: TeamID, to team: TeamID
    ) async throws -> TransferFailure? {
        let moment = Timestamp(environment.now())
        let id = TransferID(at: moment, randomness: environment.randomBytes(10))
        return try await store.keep(
            ExportedPerson(person: person, id: id, answer: answer), from: source, to: team, at: moment)
    }

    private func isAnswering(from source: TeamID, to team: TeamID) async throws -> Bool {
        let people = try await store.lastExported(from: source, to: team, limit: 3)
        return try await questions.isAnswered(people.map(\.subject)) { [questions] subject in
            _ = try await questions.transferSubject(of: subject, to: team, isAlone: true)
        }
    }

    // MARK: The receiving team

    /// The receiving team must find a person, before thousands of subjects lead nowhere. A person may have stopped
    /// using the app, so several are tried.
    private func prove(_ subject: Subject, by target: TransferQuestions, _ trial: TransferTrial) async throws {
        do {
            _ = try await target.person(ofTransferSubject: subject, isAlone: true)
            await trial.finish()
        } catch let error as AppleIDError where error.kind == .onePerson {
            guard await trial.noteRefusal() < Self.trials else { throw TransferError.notUsableByTarget }
            throw error
        }
    }

    /// Tries the people whom an earlier run has exported.
    private func proveEarlier(from source: TeamID, to team: TeamID, _ trial: TransferTrial) async throws {
        guard let target else { return }
        let people = try await store.lastExported(from: source, to: team, limit: Self.trials)
        let isProven = try await target.isAnswered(people.map(\.transferSubject)) { subject in
            _ = try await target.person(ofTransferSubject: subject, isAlone: true)
        }
        if isProven { await trial.finish() }
    }
}

/// Whether the receiving team finds the people of a run.
private actor TransferTrial {
    private(set) var isDone = false
    private var refusals = 0

    /// Whether the receiving team has found nobody.
    var isRefused: Bool { !isDone && refusals > 0 }

    func finish() { isDone = true }

    /// - Returns: the people whom the receiving team hasn't found.
    func noteRefusal() -> Int {
        refusals += 1
        return refusals
    }
}
