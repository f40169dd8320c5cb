package import AppleID
package import AppleIDTypes

/// The receiving team's half of a transfer: asks Apple who each person is now, and moves them.
///
/// A run that was interrupted goes on where it was. People who sign in meanwhile are moved by that.
package struct TransferImport: Sendable {
    /// How long Apple answers after the new team has accepted the app.
    static let window: Duration = .days(60)

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

    private var now: Timestamp { Timestamp(environment.now()) }

    /// - Parameters:
    ///   - replacing: accounts of people who have got a second account under the receiving team. The account from
    ///     before takes the place of such an account.
    ///   - limit: how many people at most; nil for all.
    ///   - progress: told after each person.
    /// - Throws: as ``TransferExport/run(from:to:limit:progress:)``.
    package func run(
        to team: TeamID, replacing: Set<AccountID> = [], limit: Int? = nil,
        progress: @escaping @Sendable (TransferProgress) -> Void = { _ in }
    ) async throws -> TransferOutcome {
        let hasSucceededBefore = try await store.hasMoved(to: team, since: now - Self.window)
        let run = TransferRun<PersonTransfer, TransferID>(
            total: try await store.countToImport(to: team), limit: limit, hasSucceededBefore: hasSucceededBefore,
            pages: TransferPages(
                beginsWithTrial: !hasSucceededBefore, key: { $0.id },
                load: { [store] part, last, limit in
                    try await store.peopleToImport(to: team, part, after: last, limit: limit)
                }),
            perform: { [self] transfer, isAlone in
                try await move(transfer, isAlone: isAlone, replacing: replacing)
            },
            noteFailure: { [self] transfer, failure in
                try await store.noteImportFailed(transfer.id, failure, at: now)
            },
            isAnswering: { [self] in try await isAnswering(to: team) },
            renewToken: { [questions] in await questions.renewToken() },
            rate: { [questions] in await questions.rate }, progress: progress)
        return try await run.run()
    }

    private func move(
        _ transfer: PersonTransfer, isAlone: Bool, replacing: Set<AccountID>
    ) async throws -> TransferResult {
        guard let subject = transfer.transferSubject else { return .movedBefore }
        let person: TransferredPerson
        do {
            person = try await questions.person(ofTransferSubject: subject, isAlone: isAlone)
        } catch let error as AppleIDError where error.kind == .onePerson {
            return .refused(isNew: transfer.state != .failed)
        } catch let silence as TransferSilence {
            return .silent(silence)
        }
        let moment = now
        let newHandle: @Sendable () -> TokenHash = { [environment] in
            DeletionHandle(randomness: environment.randomBytes(32)).hash
        }
        let outcome = try await store.move(
            transfer.id,
            to: TransferTarget(
                team: transfer.target, subject: person.subject,
                relayAddress: person.isPrivateEmail ? person.email : nil),
            at: moment, by: .operator, identityID: IdentityID(at: moment, randomness: environment.randomBytes(10)),
            deletion: deletesOnConsentRevoked ? newHandle() : nil,
            replacing: replacing.isEmpty ? nil : TransferReplacement(accounts: replacing, handle: newHandle()))
        switch outcome {
        case .moved: return .succeeded()
        case .movedReplacing(let replaced, _): return .succeeded(replaced: replaced)
        case .movedBefore, .gone: return .movedBefore
        case .failed(let failure): return .failed(failure)
        }
    }

    private func isAnswering(to team: TeamID) async throws -> Bool {
        let subjects = try await store.lastMoved(to: team, since: now - Self.window, limit: 3)
        return try await questions.isAnswered(subjects) { [questions] subject in
            _ = try await questions.person(ofTransferSubject: subject, isAlone: true)
        }
    }
}
