package import AppleID
package import AppleIDTypes

/// Apple gives no answer to one question, or to any.
struct TransferSilence: Error {
    /// The error of the last attempt.
    var cause: AppleIDError
    /// Whether Apple has answered other questions meanwhile.
    var othersWereAnswered = false
}

/// Asks Apple about one person after the other, at a rate, for either team.
///
/// A question is repeated until Apple answers it, since asking twice does no more than asking once. It gives up after a
/// while, and throws ``TransferSilence``: the progress is in the store, and another run asks again.
package actor TransferQuestions {
    /// The rates that an operator may want, in requests a second. Apple's own refusals make it no slower than the lowest. A far
    /// lower one would have an interval that can't be computed.
    package static let rates = TransferPace.slowestRate...1_000
    /// How long Apple may answer nobody before it gives up.
    static let silenceLimit: Duration = .minutes(10)
    /// How long Apple may answer everybody with the wish to be asked less often before it gives up.
    static let slowDownLimit: Duration = .days(1)
    /// Lost answers to one question after which it gives up, if Apple has answered as many other questions meanwhile.
    static let maximumLosses = 6
    /// The shortest pause that the operator is told about at once. Of shorter ones the operator is told once a minute.
    static let notablePause: Duration = .seconds(10)
    static let noteInterval: Duration = .minutes(1)

    private let apple: AppleIDClient
    private let client: ClientID
    private let environment: AppleIDEnvironment
    private var pace: TransferPace
    private var token: MigrationToken?
    private let onPause: @Sendable (Timestamp) -> Void
    /// Apple's answers so far.
    private var answers = 0
    /// When the first question since Apple's last answer was lost.
    private var unansweredSince: Timestamp?
    /// When Apple has first wished to be asked less often since its last answer.
    private var slowedSince: Timestamp?
    /// When the operator was last told of a pause.
    private var toldAt: Timestamp?

    /// - Parameters:
    ///   - apple: a client of the team that asks, which repeats nothing by itself.
    ///   - client: a client of the app that moves.
    ///   - rate: requests a second, one of ``rates``. Nil is five.
    ///   - onPause: told until when Apple wants not to be asked, for pauses that an operator would notice.
    package init(
        apple: AppleIDClient, client: ClientID, rate: Double?, environment: AppleIDEnvironment = .live,
        onPause: @escaping @Sendable (Timestamp) -> Void = { _ in }
    ) {
        self.onPause = onPause
        self.apple = apple
        self.client = client
        self.environment = environment
        pace = TransferPace(rate: rate ?? TransferPace.standardRate, at: Timestamp(environment.now()))
    }

    /// Requests a second now, lower than wanted where Apple wants that.
    var rate: Double { pace.rate }

    /// Returns the person's transfer subject, for the sending team.
    /// - Parameter isAlone: whether no other question is asked meanwhile, so that lost answers alone make it give up.
    /// - Throws: ``AppleIDError/Code/transferRejected`` where Apple refuses to tell about this person, errors that
    ///   concern all people, and ``TransferSilence``.
    func transferSubject(of subject: Subject, to team: TeamID, isAlone: Bool = false) async throws -> Subject {
        try await ask(isAlone: isAlone) { apple, token in
            try await apple.transferSubject(of: subject, to: team, using: token)
        }
    }

    /// Returns the person behind a transfer subject, for the receiving team.
    /// - Throws: as ``transferSubject(of:to:isAlone:)``.
    func person(ofTransferSubject subject: Subject, isAlone: Bool = false) async throws -> TransferredPerson {
        try await ask(isAlone: isAlone) { apple, token in
            try await apple.person(ofTransferSubject: subject, using: token)
        }
    }

    /// Gets a new migration token for the next question.
    func renewToken() { token = nil }

    /// Whether Apple answers at least one of several questions. A new migration token is used.
    /// - Throws: errors that concern all people, also where Apple gives no answer at all.
    func isAnswered(
        _ subjects: [Subject], _ question: @Sendable (Subject) async throws -> Void
    ) async throws -> Bool {
        renewToken()
        var silence: TransferSilence?
        for subject in subjects {
            do {
                try await question(subject)
                return true
            } catch let error as AppleIDError where error.kind == .onePerson {
                continue
            } catch let error as TransferSilence {
                guard !error.othersWereAnswered else { return true }
                silence = error
            }
        }
        if let silence { throw silence.cause }
        return false
    }

    private func ask<Answer: Sendable>(
        isAlone: Bool, _ question: @Sendable (AppleIDClient, MigrationToken) async throws -> Answer
    ) async throws -> Answer {
        let answersBefore = answers
        var losses = 0
        while true {
            do {
                let token = try await currentToken()
                try await wait()
                let answer = try await question(apple, token)
                noteAnswer()
                return answer
            } catch let error as AppleIDError where error.code == .migrationTokenExpired {
                token = nil
            } catch let error as AppleIDError where error.kind == .transient {
                try Task.checkCancellation()
                if let slowDown = error.cause as? AppleSlowDown {
                    try note(slowDown, error)
                    continue
                }
                try noteLoss(error)
                losses += 1
                guard losses >= Self.maximumLosses else { continue }
                let othersWereAnswered = answers - answersBefore >= Self.maximumLosses
                guard !isAlone, !othersWereAnswered else {
                    throw TransferSilence(cause: error, othersWereAnswered: othersWereAnswered)
                }
            } catch let error as AppleIDError where error.kind == .onePerson {
                noteAnswer()
                throw error
            }
        }
    }

    private func currentToken() async throws -> MigrationToken {
        if let token, Timestamp(environment.now()) + .minutes(1) < Timestamp(token.expiresAt) { return token }
        try await wait()
        let new = try await apple.migrationToken(client: client)
        token = new
        return new
    }

    /// Waits for a place. A pause that began meanwhile makes the place void, so another one is taken.
    private func wait() async throws {
        repeat {
            let delay = pace.take(at: Timestamp(environment.now()))
            if delay > .zero { try await environment.sleep(delay) } else { try Task.checkCancellation() }
        } while Timestamp(environment.now()) < pace.pausedUntil
    }

    private func noteAnswer() {
        answers += 1
        (unansweredSince, slowedSince) = (nil, nil)
        pace.answered()
    }

    private func note(_ slowDown: AppleSlowDown, _ error: AppleIDError) throws {
        let moment = Timestamp(environment.now())
        unansweredSince = nil
        let since = slowedSince ?? moment
        slowedSince = since
        let before = pace.pausedUntil
        pace.slowDown(for: slowDown.retryAfter, at: moment)
        let until = pace.pausedUntil
        let isLong = until > before && until - moment >= Self.notablePause
        let isDue = moment - since >= Self.noteInterval && moment - (toldAt ?? since) >= Self.noteInterval
        if isLong || isDue {
            toldAt = moment
            onPause(until)
        }
        guard moment - since < Self.slowDownLimit else { throw TransferSilence(cause: error) }
    }

    private func noteLoss(_ error: AppleIDError) throws {
        let moment = Timestamp(environment.now())
        pace.lostAnswer(at: moment)
        let since = unansweredSince ?? moment
        unansweredSince = since
        guard moment - since < Self.silenceLimit else { throw TransferSilence(cause: error) }
    }
}
