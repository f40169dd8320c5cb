import AppleID
import AppleIDTypes

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

    package init(done: Int = 0, failed: Int = 0, total: Int, rate: Double) {
        self.done = done
        self.failed = failed
        self.total = total
        self.rate = rate
    }
}

/// The counts of one run of a transfer.
package struct TransferOutcome: Hashable, Sendable {
    /// People with a transfer subject since this run, or moved by it.
    package var succeeded = 0
    /// People who were moved meanwhile, because they signed in, or whose account is gone.
    package var movedBefore = 0
    package var failed: [TransferFailure: Int] = [:]
    /// People who are left because of the run's limit.
    package var left = 0
    /// Accounts that gave way to the former account of their person.
    package var replaced: Set<AccountID> = []

    package init() {}

    /// People about whom it has failed.
    package var failures: Int { failed.values.reduce(0, +) }
}

/// The result of the question about one person.
enum TransferResult: Sendable {
    /// - Parameter replaced: the account that gave way to the person's former account.
    case succeeded(replaced: AccountID? = nil)
    case movedBefore
    /// Apple has answered, but the person can't be moved. The store has the reason.
    case failed(TransferFailure)
    /// Apple refuses to tell about a person. The store doesn't have it yet: Apple may refuse everybody by now.
    /// - Parameter isNew: whether nothing has failed about the person before.
    case refused(isNew: Bool)
    /// Apple gives no answer about a person. The store doesn't have it yet.
    case silent(TransferSilence)
}

/// An error that ends a run of a transfer before its end. What was done before is kept.
package enum TransferError: Error, Hashable, Sendable {
    /// Apple has refused the first people, and nobody else was asked about.
    case firstPeopleRefused(Int)
    /// Apple has refused people in a row, then those about whom it had answered before, and then others. None of them
    /// is recorded as failed.
    case everybodyRefused(Int)
    /// Apple gave the sending team transfer subjects that lead the receiving team nowhere.
    case notUsableByTarget
}

/// Goes through people: the first alone, until one has succeeded, then several at once.
///
/// A wrong team, key or app shows with the first people, and not after thousands. A run that goes on where another one
/// ended has its success already, so people whom Apple refused before don't keep it from the rest.
///
/// A person about whom Apple gives no answer waits until everybody else is done, and is asked about once more then.
struct TransferRun<Person: Sendable, Key: ResourceID>: Sendable {
    /// People who are asked about one by one, until one has succeeded.
    static var trials: Int { 5 }
    static var batchSize: Int { 40 }
    /// Questions on their way to Apple at once. The rate is the pace's.
    static var atOnce: Int { 8 }
    /// Refusals in a row after which the run asks whether Apple refuses everybody.
    static var maximumRefusals: Int { 20 }

    let total: Int
    let limit: Int?
    /// Whether somebody was asked about with success before this run.
    let hasSucceededBefore: Bool
    let pages: TransferPages<Person, Key>
    /// Asks about a person, and keeps the answer.
    let perform: @Sendable (_ person: Person, _ isAlone: Bool) async throws -> TransferResult
    /// Keeps that it has failed about a person.
    let noteFailure: @Sendable (Person, TransferFailure) async throws -> Void
    /// Whether Apple still answers about people about whom it answered before, with a new migration token.
    let isAnswering: @Sendable () async throws -> Bool
    let renewToken: @Sendable () async -> Void
    let rate: @Sendable () async -> Double
    let progress: @Sendable (TransferProgress) -> Void

    /// The answer about a person, with the number of the question in this run.
    private struct Answer: Sendable {
        var number: Int
        var person: Person
        var result: TransferResult
    }

    /// How far the run is.
    private struct State {
        var outcome = TransferOutcome()
        var progress: TransferProgress
        var rest: ArraySlice<Person> = []
        var isPartOver = false
        var hasSucceeded = false
        /// People who were asked about, or are.
        var taken = 0
        /// Questions that were begun.
        var begun = 0
        /// Refusals that are not recorded yet, in their order.
        var refused: [Refusal] = []
        var silent: [Person] = []
        /// The questions that were begun when the migration token was last renewed.
        var renewedAt = 0

        mutating func refuse(_ answer: Answer) {
            refused.append(Refusal(person: answer.person, number: answer.number, begun: begun))
        }
    }

    private struct Refusal {
        var person: Person
        /// The number of the question.
        var number: Int
        /// The questions that were begun when the answer came.
        var begun: Int
    }

    func run() async throws -> TransferOutcome {
        var state = State(
            progress: TransferProgress(total: limit.map { min($0, total) } ?? total, rate: await rate()))
        progress(state.progress)
        do {
            try await askPart(&state)
            await pages.beginFailed()
            state.isPartOver = false
            try await askPart(&state)
            for person in state.silent { try await askForLastTime(person, &state) }
            if !state.refused.isEmpty { await renewToken() }
            try await askRefusedAgain(&state)
        } catch let error as TransferError {
            throw error
        } catch {
            // They are few, and Apple was answering, or all of them would have been asked about again.
            try await noteRefusals(&state)
            throw error
        }
        state.outcome.left = max(0, total - state.progress.done)
        return state.outcome
    }

    // MARK: Steps

    private func askPart(_ state: inout State) async throws {
        if !state.hasSucceeded { try await tryAlone(&state) }
        try await askAll(&state)
    }

    /// Asks about people one by one until Apple answers.
    private func tryAlone(_ state: inout State) async throws {
        var tried = 0
        var silence: TransferSilence?
        var isRefused = false
        while !state.hasSucceeded, let person = try await nextPerson(&state) {
            tried += 1
            let answer = try await ask(person, isAlone: true, &state)
            switch answer.result {
            case .refused where !hasSucceededBefore:
                // The next run tries others.
                isRefused = true
                try await fail(person, .appleRefused, &state)
            case .refused:
                isRefused = true
                try await take(answer, &state)
            case .silent(let error):
                silence = error
                state.silent.append(person)
            default: try await take(answer, &state)
            }
            guard !state.hasSucceeded, tried >= Self.trials else { continue }
            if let silence, !isRefused { throw silence.cause }
            guard hasSucceededBefore || state.progress.total <= state.taken else {
                throw TransferError.firstPeopleRefused(tried)
            }
            return
        }
    }

    private func askAll(_ state: inout State) async throws {
        let perform = perform
        try await withThrowingTaskGroup(of: Answer.self) { group in
            var running = 0
            while true {
                while running < Self.atOnce, let person = try await nextPerson(&state) {
                    state.begun += 1
                    let number = state.begun
                    group.addTask {
                        Answer(number: number, person: person, result: try await perform(person, false))
                    }
                    running += 1
                }
                guard let answer = try await group.next() else { return }
                running -= 1
                try await take(answer, &state)
            }
        }
    }

    private func nextPerson(_ state: inout State) async throws -> Person? {
        let room = limit.map { $0 - state.taken } ?? .max
        guard room > 0 else { return nil }
        if state.rest.isEmpty, !state.isPartOver {
            state.rest = try await pages.next(min(Self.batchSize, room))[...]
            state.isPartOver = state.rest.isEmpty
        }
        guard let person = state.rest.popFirst() else { return nil }
        state.taken += 1
        return person
    }

    private func ask(_ person: Person, isAlone: Bool, _ state: inout State) async throws -> Answer {
        state.begun += 1
        return Answer(number: state.begun, person: person, result: try await perform(person, isAlone))
    }

    // MARK: Answers

    private func take(_ answer: Answer, _ state: inout State) async throws {
        switch answer.result {
        case .succeeded(let replaced):
            state.outcome.succeeded += 1
            if let replaced { state.outcome.replaced.insert(replaced) }
            try await noteAnswer(answer.number, &state)
        case .movedBefore:
            state.outcome.movedBefore += 1
            try await noteAnswer(answer.number, &state)
        case .failed(let failure):
            await pages.exclude(answer.person)
            state.outcome.failed[failure, default: 0] += 1
            state.progress.failed += 1
            try await noteAnswer(answer.number, &state)
        case .refused(isNew: false):
            try await fail(answer.person, .appleRefused, &state)
        case .refused:
            state.refuse(answer)
            if state.refused.count >= Self.maximumRefusals { try await requireAnswers(&state) }
        case .silent(let silence):
            try await requireAnswers(despite: silence, &state)
            state.silent.append(answer.person)
        }
        await show(&state)
    }

    private func noteAnswer(_ number: Int, _ state: inout State) async throws {
        state.progress.done += 1
        state.hasSucceeded = true
        // Refusals from before the question was begun concern their people alone: the migration token was good. Only a
        // question with an earlier token is asked again.
        while let refusal = state.refused.first, refusal.begun < number {
            state.refused.removeFirst()
            if refusal.number <= state.renewedAt {
                try await askForLastTime(refusal.person, &state)
            } else {
                try await fail(refusal.person, .appleRefused, &state)
            }
        }
    }

    private func fail(_ person: Person, _ failure: TransferFailure, _ state: inout State) async throws {
        await pages.exclude(person)
        try await noteFailure(person, failure)
        state.outcome.failed[failure, default: 0] += 1
        state.progress.done += 1
        state.progress.failed += 1
        await show(&state)
    }

    private func noteRefusals(_ state: inout State) async throws {
        let refused = state.refused
        state.refused = []
        for refusal in refused { try await fail(refusal.person, .appleRefused, &state) }
    }

    private func show(_ state: inout State) async {
        state.progress.rate = await rate()
        progress(state.progress)
    }

    // MARK: Doubts

    private func requireAnswers(_ state: inout State) async throws {
        let count = state.refused.count
        guard try await isAnswered(&state) else { throw TransferError.everybodyRefused(count) }
        try await askRefusedAgain(&state)
    }

    private func requireAnswers(despite silence: TransferSilence, _ state: inout State) async throws {
        guard !silence.othersWereAnswered else { return }
        guard try await isAnswered(&state) else { throw silence.cause }
    }

    /// Whether Apple answers about somebody: about people about whom it answered before, or about those who come last
    /// and signed in last.
    private func isAnswered(_ state: inout State) async throws -> Bool {
        state.renewedAt = state.begun
        if try await isAnswering() { return true }
        let room = limit.map { $0 - state.taken } ?? .max
        guard room > 0 else { return false }
        let latest = try await pages.latest(room, among: Array(state.rest))
        let keys = Set(latest.map(pages.key))
        state.rest = (latest + state.rest.filter { !keys.contains(pages.key($0)) })[...]
        for _ in latest {
            guard let person = state.rest.popFirst() else { break }
            state.taken += 1
            let answer = try await ask(person, isAlone: true, &state)
            switch answer.result {
            case .refused: state.refuse(answer)
            case .silent(let silence):
                state.silent.append(person)
                if silence.othersWereAnswered { return true }
            default:
                try await take(answer, &state)
                return true
            }
        }
        return false
    }

    /// Asks about refused people once more: Apple refuses also for a migration token that is not good any more, and
    /// there is a new one now.
    private func askRefusedAgain(_ state: inout State) async throws {
        let refused = state.refused
        state.refused = []
        for refusal in refused { try await askForLastTime(refusal.person, &state) }
    }

    private func askForLastTime(_ person: Person, _ state: inout State) async throws {
        let answer = try await ask(person, isAlone: true, &state)
        switch answer.result {
        case .refused: try await fail(person, .appleRefused, &state)
        case .silent(let silence):
            try await requireAnswers(despite: silence, &state)
            try await fail(person, .appleUnavailable, &state)
        default: try await take(answer, &state)
        }
    }
}
