package import AppleID
package import AppleIDTypes

/// Asks Apple about one person after the other, at a rate, for either team.
///
/// A question is repeated until Apple answers it, since asking twice does no more than asking once. If Apple gives no
/// answer at all for ``patience``, it throws: the progress is in the store, and another run goes on.
package actor TransferQuestions {
    /// How long Apple may answer nobody before it gives up.
    static let patience: Duration = .minutes(10)
    /// The shortest pause that the operator is told about.
    static let notablePause: Duration = .seconds(10)

    private let apple: AppleIDClient
    private let client: ClientID
    private let environment: AppleIDEnvironment
    private var pace: TransferPace
    private var token: MigrationToken?
    private let onPause: @Sendable (Timestamp) -> Void
    /// When the first question since Apple's last answer was lost.
    private var unansweredSince: Timestamp?

    /// - Parameters:
    ///   - apple: a client of the team that asks, which repeats nothing by itself.
    ///   - client: a client of the app that moves.
    ///   - rate: requests a second.
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
    /// - Throws: ``AppleIDError/Code/transferRejected`` where Apple refuses to tell about this person, and errors that
    ///   concern all people.
    func transferSubject(of subject: Subject, to team: TeamID) async throws -> Subject {
        try await ask { apple, token in try await apple.transferSubject(of: subject, to: team, using: token) }
    }

    /// Returns the person behind a transfer subject, for the receiving team.
    /// - Throws: as ``transferSubject(of:to:)``.
    func person(ofTransferSubject subject: Subject) async throws -> TransferredPerson {
        try await ask { apple, token in try await apple.person(ofTransferSubject: subject, using: token) }
    }

    /// Gets a new migration token for the next question.
    func renewToken() { token = nil }

    private func ask<Answer: Sendable>(
        _ question: @Sendable (AppleIDClient, MigrationToken) async throws -> Answer
    ) async throws -> Answer {
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
                try noteFailure(error)
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
        unansweredSince = nil
        pace.answered()
    }

    private func noteFailure(_ error: AppleIDError) throws {
        try Task.checkCancellation()
        let moment = Timestamp(environment.now())
        if let slowDown = error.cause as? AppleSlowDown {
            unansweredSince = nil
            let before = pace.pausedUntil
            pace.slowDown(for: slowDown.retryAfter, at: moment)
            let until = pace.pausedUntil
            if until > before, until - moment >= Self.notablePause { onPause(until) }
            return
        }
        pace.lostAnswer(at: moment)
        let since = unansweredSince ?? moment
        unansweredSince = since
        guard moment - since < Self.patience else { throw error }
    }
}
