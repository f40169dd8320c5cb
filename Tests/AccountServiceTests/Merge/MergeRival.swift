import AccountDatabase
import AppleIDTesting
import AppleIDTypes
import TaskSignals
import Testing

@testable import AccountService

/// Something else that happens to an account while it is merged.
enum MergeRival: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case signIn, refresh, reauthentication
    /// The operator disables the account.
    case disabling
    case deletion, deletionOfRemaining
    /// The withdrawal of the consent by which the identity of the merge has joined its account.
    case withdrawal
    /// The link that confirms another contact address.
    case contactChange
    /// The link that takes such a change back.
    case takeBack
    /// The daily check, which ends the access of an identity whose token is dead.
    case dailyCheck

    var testDescription: String { rawValue }

    /// The outcomes if the merge commits first.
    var afterMerge: MergeOutcomes {
        switch self {
        case .signIn, .takeBack, .dailyCheck, .deletionOfRemaining: MergeOutcomes("done", "done")
        case .refresh, .reauthentication, .deletion, .withdrawal, .contactChange:
            MergeOutcomes("done", "account_merged")
        case .disabling: MergeOutcomes("done", "absent")
        }
    }

    /// The outcomes if the merge commits second.
    var beforeMerge: MergeOutcomes {
        switch self {
        case .signIn, .refresh, .reauthentication: MergeOutcomes("done", "done")
        case .disabling, .deletion, .withdrawal, .dailyCheck: MergeOutcomes("handle_invalid", "done")
        case .deletionOfRemaining: MergeOutcomes("session_ended", "done")
        case .contactChange, .takeBack: MergeOutcomes("merge_changed", "done")
        }
    }
}

/// The outcomes of a merge and of its rival: `done`, or the code of an error.
struct MergeOutcomes: Hashable, Sendable, CustomStringConvertible {
    var merge: String
    var rival: String

    init(_ merge: String, _ rival: String) {
        (self.merge, self.rival) = (merge, rival)
    }

    var description: String { "merge: \(merge), rival: \(rival)" }
}

/// Two accounts that are about to become one, and the rival of the merge.
struct MergeScene: Sendable {
    /// The results of the rival that the checks look at.
    private final class Results: Sendable {
        let signIn = Lock<TokenSignIn?>(nil)
        let refreshed = Lock<SessionTokens?>(nil)
    }

    /// The operator found no such account.
    private struct Absent: Error {}

    let system: PasswordSystem
    let rival: MergeRival
    let from: StoredSession
    let into: StoredSession
    /// The call of the rival.
    let act: @Sendable () async throws -> Void

    private let handle: ConflictHandle
    private let plan: MergePlan
    /// The identity of the merge.
    private let identity: IdentityID
    private let results: Results

    /// - Parameter round: makes addresses that no other round has.
    init(_ rival: MergeRival, round: Int = 0, in system: PasswordSystem) async throws {
        let address = "person\(round)@example.com"
        var tokens: SessionTokens?
        let sessions: (from: StoredSession, into: StoredSession)
        if rival == .withdrawal {
            let from = try await system.makeAccount(address)
            try await system.link(from, hidesEmail: true, consent: system.consentText)
            sessions = (from, try await system.session(of: system.signInWithApple("zoe")))
        } else {
            let apple = try await system.signInWithApple()
            tokens = apple.tokens
            sessions = (try await system.session(of: apple), try await system.makeAccount(address))
        }
        let moving = try await system.store.identities(of: sessions.from.account.id).first { $0.provider == .apple }
        let link = try await Self.link(for: rival, of: sessions.from, round: round, in: system)
        let noted = Results()
        (self.system, self.rival) = (system, rival)
        (from, into) = sessions
        identity = try #require(moving).id
        handle = try await system.handle(in: sessions.into, hidesEmail: rival == .withdrawal)
        plan = try await system.merges.plan(with: handle, in: sessions.into)
        results = noted
        act =
            switch rival {
            case .signIn, .refresh, .reauthentication:
                try await Self.entrance(rival, by: sessions.from, tokens, noting: noted, in: system)
            case .withdrawal, .contactChange, .takeBack:
                try await Self.change(rival, of: sessions.from, by: link, in: system)
            case .disabling, .deletion, .deletionOfRemaining, .dailyCheck:
                try await Self.end(rival, sessions.from, sessions.into, in: system)
            }
    }

    /// The link in a mail that a rival opens; nil if it opens none.
    private static func link(
        for rival: MergeRival, of from: StoredSession, round: Int, in system: PasswordSystem
    ) async throws -> LinkSecret? {
        guard rival == .contactChange || rival == .takeBack else { return nil }
        let profiles = system.domain.profiles
        let address = "contact\(round)@example.org"
        _ = try await profiles.update(
            ProfileUpdate(contactEmail: .set(EmailAddress(address))), in: from, from: PasswordSystem.caller)
        let link = try #require(try await system.mails(.verifyAddress, to: address).last?.secret)
        guard rival == .takeBack else { return link }
        _ = try await profiles.confirmContact(link, in: from, from: PasswordSystem.caller)
        return try await system.mails(.addressChanged).last?.secret
    }

    /// A rival that opens or renews a session.
    private static func entrance(
        _ rival: MergeRival, by from: StoredSession, _ tokens: SessionTokens?, noting results: Results,
        in system: PasswordSystem
    ) async throws -> @Sendable () async throws -> Void {
        switch rival {
        case .signIn:
            return {
                let done = try await system.signInWithApple()
                results.signIn.withLock { $0 = done }
            }
        case .refresh:
            let refreshToken = try #require(tokens).refreshToken
            return {
                let done = try await system.domain.sessions.refresh(refreshToken)
                results.refreshed.withLock { $0 = done }
            }
        default:
            let challenge = try system.domain.challenges.make(for: .reauthenticate, session: from.session.id)
            let credential = try await system.credential(nonce: challenge.nonce)
            return {
                _ = try await system.domain.reauthentications.reauthenticate(from, with: credential, from: .unknown)
            }
        }
    }

    /// A rival that changes what the account has.
    private static func change(
        _ rival: MergeRival, of from: StoredSession, by link: LinkSecret?, in system: PasswordSystem
    ) async throws -> @Sendable () async throws -> Void {
        switch rival {
        case .withdrawal:
            let consent = try #require(try await system.domain.consents.list(of: from.account.id).first).id
            return { _ = try await system.domain.consents.withdraw(consent, in: from, from: .unknown) }
        case .contactChange:
            let link = try #require(link)
            return { _ = try await system.domain.profiles.confirmContact(link, in: from, from: .unknown) }
        default:
            let link = try #require(link)
            return { _ = try await system.domain.profiles.takeBack(link, from: .unknown) }
        }
    }

    /// A rival that ends an account or an access.
    private static func end(
        _ rival: MergeRival, _ from: StoredSession, _ into: StoredSession, in system: PasswordSystem
    ) async throws -> @Sendable () async throws -> Void {
        switch rival {
        case .disabling:
            return {
                guard try await system.domain.directory.disable(from.account.id) != nil else { throw Absent() }
            }
        case .deletion, .deletionOfRemaining:
            let deleted = rival == .deletion ? from : into
            return { _ = try await system.domain.deletions.delete(accountOf: deleted, from: .unknown) }
        default:
            let identity = from.session.identityID
            let token = try #require(try await system.store.appleTokens(of: identity).first)
            let at = system.now
            _ = try await system.store.endTokenCheck(token, .dead, at: at)
            return {
                let grant = try await system.store.endNextDeadGrant(foundBefore: at, at: at)
                #expect(grant?.identity == identity && grant?.endedAccess == true)
            }
        }
    }

    private var consent: String? { rival == .withdrawal ? system.consentText : nil }

    @Sendable func merge() async throws {
        try await system.merge(handle, plan.confirmation, into: into, consent: consent)
    }

    /// The outcome of a call: `done`, or the code of its error.
    static func outcome(_ work: @Sendable () async throws -> Void) async throws -> String {
        do {
            try await work()
            return "done"
        } catch let error as AccountError {
            return error.code.description
        } catch is Absent {
            return "absent"
        }
    }

    /// Checks that nothing is half done. If the accounts had changed, the person sees the new plan and merges them.
    func check(_ outcomes: MergeOutcomes) async throws {
        var isMerged = outcomes.merge == "done"
        if outcomes.merge == "merge_changed" {
            let again = try await system.merges.plan(with: handle, in: into)
            #expect(again.confirmation != plan.confirmation)
            try await system.merge(handle, again.confirmation, into: into, consent: consent)
            isMerged = true
        }
        let isInto = try await system.store.account(into.account.id) != nil
        #expect(isInto == (rival != .deletionOfRemaining), "\(outcomes)")
        let isFrom = try await system.store.account(from.account.id) != nil
        #expect(isFrom == (!isMerged && rival != .deletion), "\(outcomes)")
        if isMerged && isInto {
            #expect(try await system.end(of: from) != nil, "\(outcomes)")
            let names = try await system.store.identities(of: into.account.id).map(\.id)
            #expect(names.contains(identity), "\(outcomes)")
        }
        try await checkResults(isMerged: isMerged, outcomes)
    }

    private func checkResults(isMerged: Bool, _ outcomes: MergeOutcomes) async throws {
        let holder = isMerged ? into.account.id : from.account.id
        switch rival {
        case .signIn:
            let done = try #require(results.signIn.withLock { $0 })
            if done.account.id == into.account.id {
                #expect(try await system.session(of: done).account.id == into.account.id)
            } else {
                let error = await expectError(.accountMerged) { _ = try await system.session(of: done) }
                #expect(error?.mergedInto == into.account.id)
            }
        case .refresh:
            guard let refreshed = results.refreshed.withLock({ $0 }) else { return }
            await expectError(.accountMerged) {
                _ = try await system.domain.sessions.refresh(refreshed.refreshToken)
            }
        case .contactChange:
            let contact = try await system.store.account(holder)?.contactEmail
            let isChanged = outcomes.rival == "done"
            #expect((contact != nil) == isChanged, "\(outcomes)")
        case .takeBack:
            #expect(try await system.store.account(holder)?.contactEmail == nil, "\(outcomes)")
            // The remaining account can take back what the merge has brought.
            #expect(try await system.count("contact_changes") == (outcomes.merge == "done" ? 1 : 0), "\(outcomes)")
        case .dailyCheck:
            #expect(try await system.store.appleTokens(of: identity).isEmpty, "\(outcomes)")
            #expect(try await system.events(of: holder).contains(.appleAccessEnded), "\(outcomes)")
        case .reauthentication, .disabling, .deletion, .deletionOfRemaining, .withdrawal: break
        }
    }

    /// Removes what is left, for another round.
    func clear() async throws {
        for account in [from.account.id, into.account.id] {
            _ = try await system.domain.directory.delete(account)
        }
        system.clock.advance(by: .seconds(2))
    }
}
