import AccountDatabase
import AppleIDTypes
import Testing

@testable import AccountService

extension PasswordSystem {
    var merges: Merges { domain.merges }

    /// Merges on another database, of the same service otherwise.
    func merges(on database: any SQLDatabase) async throws -> Merges {
        Merges(
            sessions: domain.sessions, store: try await AccountTransactions(on: database),
            texts: domain.configuration.consentTexts, finishing: domain.finishing, mail: domain.mailWriter,
            environment: domain.environment)
    }

    /// Tries to link an Apple Account of another account.
    /// - Returns: the handle for that account.
    func handle(for person: String = "johnny", in session: StoredSession, hidesEmail: Bool = false) async throws
        -> ConflictHandle
    {
        let error = await expectError(.credentialAlreadyInUse) {
            try await link(session, person: person, hidesEmail: hidesEmail)
        }
        return try #require(error?.conflict?.handle)
    }

    /// Merges the account of an Apple Account as its person has seen it.
    @discardableResult
    func merge(
        _ person: String = "johnny", into session: StoredSession, hidesEmail: Bool = false, consent: String? = nil
    ) async throws -> MergedAccounts {
        let handle = try await handle(for: person, in: session, hidesEmail: hidesEmail)
        let plan = try await merges.plan(with: handle, in: session)
        return try await merge(handle, plan.confirmation, into: session, consent: consent)
    }

    @discardableResult
    func merge(
        _ handle: ConflictHandle, _ confirmation: MergeConfirmation, into session: StoredSession, consent: String? = nil
    ) async throws -> MergedAccounts {
        try await merges.merge(
            with: handle, confirming: confirmation, consent: consent.map { ConsentGiven(textVersion: $0) },
            in: session, from: Self.caller)
    }

    /// Notes that an identity is about to move to another team.
    func insertTransfer(
        _ id: TransferID, of identity: IdentityID, in account: AccountID, to target: TeamID, round: Int
    ) async throws {
        let found = try #require(try await store.identities(of: account).first { $0.id == identity })
        let now = self.now
        _ = try await store.write { connection in
            try connection.execute(
                """
                INSERT INTO transfers (id, source, target, account_id, identity_id, is_received, former_subject,
                    transfer_subject, state, updated_at)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'exported', ?9)
                """,
                [
                    .id(id), .text(found.team), .text(target), .id(account), .id(identity), .flag(false),
                    .text(found.subject), .text("transfer\(round)"), .time(now),
                ])
        }
    }

    /// The accounts that are there, and whether each has live sessions.
    func accounts() async throws -> [AccountID: Bool] {
        var found: [AccountID: Bool] = [:]
        for account in try await store.accounts(after: nil, limit: 100) {
            let live = try await store.sessions(of: account.id, liveAt: now, before: nil, limit: 1)
            found[account.id] = !live.isEmpty
        }
        return found
    }
}
