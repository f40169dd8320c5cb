import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("A merge at the same time as something else", .eachEngine)
struct MergeRaceTests {
    /// How often a race is run: where the two meet differs from time to time.
    private static let rounds = 10

    /// Runs a merge and something else at once.
    private static func both(
        _ merge: @escaping @Sendable () async throws -> Void, and other: @escaping @Sendable () async throws -> Void
    ) async throws -> (merge: String, other: String) {
        async let merged = MergeScene.outcome(merge)
        async let done = MergeScene.outcome(other)
        return try await (merge: merged, other: done)
    }

    @Test(
        "A person of either account who moves to another team arrives in the remaining account",
        arguments: ["from", "into"])
    func transfer(side: String) async throws {
        let system = try await PasswordSystem()
        let target: TeamID = "OTHERTEAM1"
        for round in 0..<Self.rounds {
            let from = try await system.session(of: system.signInWithApple("johnny"))
            let session = try await system.session(of: system.signInWithApple("zoe"))
            let mover = side == "from" ? from : session
            let moving = mover.session.identityID
            let id = TransferID(rawValue: "trf_\(round)")
            let there = TransferTarget(team: target, subject: Subject("001999.there\(round)"))
            try await system.insertTransfer(id, of: moving, in: mover.account.id, to: target, round: round)
            let handle = try await system.handle(for: "johnny", in: session)
            let plan = try await system.merges.plan(with: handle, in: session)
            let at = system.now
            let accounts = try await atOnce(2) { index -> AccountID? in
                guard index == 0 else {
                    return try await system.merge(handle, plan.confirmation, into: session).account.id
                }
                await yieldToOthers(round * 20)
                let move = try await system.store.move(
                    id, to: there, at: at, by: .service(), identityID: IdentityID(rawValue: "idn_new\(round)"))
                guard case .moved(let account) = move else { return nil }
                return account
            }
            // The transfer names the account that the identity had at that moment.
            #expect(Set(accounts).isSubset(of: [from.account.id, session.account.id]), "\(accounts)")
            let left = try await system.store.identities(of: session.account.id)
            #expect(left.count == 2 && left.first { $0.id == moving }?.team == target)
            #expect(try await system.accountCount() == 1)
            let known = try await system.store.read { try $0.transfer(id) }
            #expect(known?.account == session.account.id && known?.state == .moved)
            _ = try await system.domain.directory.delete(session.account.id)
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test(
        "If another identity is linked to either account, the merge asks once more, or happens first",
        arguments: ["from", "into"])
    func link(side: String) async throws {
        let system = try await PasswordSystem()
        for round in 0..<Self.rounds {
            let from = try await system.session(of: system.signInWithApple("johnny"))
            let session = try await system.makeAccount("person\(round)@example.com")
            let credential = try await system.linkCredential(for: side == "from" ? from : session, person: "zoe")
            let handle = try await system.handle(in: session)
            let plan = try await system.merges.plan(with: handle, in: session)
            let outcomes = try await Self.both {
                try await system.merge(handle, plan.confirmation, into: session)
            } and: {
                await yieldToOthers(round * 40)
                _ = try await system.links.linkApple(
                    in: side == "from" ? from : session, with: credential, consent: nil, from: .unknown)
            }
            switch (side, outcomes.merge, outcomes.other) {
            case ("from", "merge_changed", "done"):
                let again = try await system.merges.plan(with: handle, in: session)
                #expect(again.moves.identities.count == 2)
                try await system.merge(handle, again.confirmation, into: session)
                #expect(try await system.links.list(in: session.session).count == 3)
            case ("from", "done", "account_merged"), ("from", "done", "session_ended"):
                #expect(try await system.links.list(in: session.session).count == 2)
            case ("into", "done", "done"):
                #expect(try await system.links.list(in: session.session).count == 3)
            default:
                Issue.record("\(side): \(outcomes)")
            }
            #expect(try await system.accountCount() == 1)
            _ = try await system.domain.directory.delete(session.account.id)
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test("If the identity that the merge moves is linked at once, it arrives in the remaining account, once")
    func sameIdentity() async throws {
        let system = try await PasswordSystem()
        for round in 0..<Self.rounds {
            _ = try await system.signInWithApple("johnny")
            let session = try await system.makeAccount("person\(round)@example.com")
            let credential = try await system.linkCredential(for: session, person: "johnny")
            let handle = try await system.handle(in: session)
            let plan = try await system.merges.plan(with: handle, in: session)
            let outcomes = try await Self.both {
                try await system.merge(handle, plan.confirmation, into: session)
            } and: {
                await yieldToOthers(round * 40)
                _ = try await system.links.linkApple(
                    in: session, with: credential, consent: nil, from: .unknown)
            }
            // A conflict that comes first takes the place of the handle.
            if outcomes.merge == "handle_invalid" {
                #expect(outcomes.other == "credential_already_in_use")
                try await system.merge(into: session)
            } else {
                #expect(outcomes.merge == "done")
                #expect(["done", "credential_already_in_use"].contains(outcomes.other), "\(outcomes)")
            }
            #expect(try await system.links.list(in: session.session).map(\.provider).sorted() == ["apple", "email"])
            #expect(try await system.accountCount() == 1)
            #expect(try await system.count("conflict_handles") == 0)
            _ = try await system.domain.directory.delete(session.account.id)
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test("An end of consent removes the identity's tokens, and the other session stays, before or after the merge")
    func notification() async throws {
        let system = try await PasswordSystem()
        for round in 0..<Self.rounds {
            let from = try await system.session(of: system.signInWithApple("johnny"))
            let identity = try #require(try await system.store.identities(of: from.account.id).first)
            let session = try await system.makeAccount("person\(round)@example.com")
            let handle = try await system.handle(in: session)
            let plan = try await system.merges.plan(with: handle, in: session)
            system.clock.advance(by: .seconds(5))
            let event = AppleNotification.sample(
                .consentRevoked, identity.subject, team: identity.team, happenedAt: system.now)
            let outcomes = try await Self.both {
                try await system.merge(handle, plan.confirmation, into: session)
            } and: {
                _ = try await system.store.applyNotification(event)
            }
            #expect(outcomes.other == "done")
            #expect(try await system.end(of: session) == nil)
            #expect(try await system.store.appleTokens(of: identity.id).isEmpty)
            // The proof of the handle is gone with the access.
            let isMerged = outcomes.merge == "done"
            if !isMerged { #expect(outcomes.merge == "handle_invalid") }
            #expect(try await system.store.identities(of: session.account.id).count == (isMerged ? 2 : 1))
            let back = try await system.signInWithApple("johnny").account.id
            #expect(back == (isMerged ? session.account.id : from.account.id))
            for account in Set([back, session.account.id]) { _ = try await system.domain.directory.delete(account) }
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test("If the same merge is requested several times, it happens once")
    func twice() async throws {
        let system = try await PasswordSystem()
        let from = try await system.signInWithApple().account.id
        let session = try await system.makeAccount()
        let handle = try await system.handle(in: session)
        let plan = try await system.merges.plan(with: handle, in: session)
        let merged = try await atOnce(3) { _ in
            try await system.merge(handle, plan.confirmation, into: session)
        }
        #expect(merged.allSatisfy { $0.from == from && $0.account.id == session.account.id })
        #expect(try await system.accountCount() == 1)
        #expect(try await system.events(of: session.account.id).filter { $0 == .accountMerged }.count == 1)
        #expect(try await system.mails(.merged).count == 2)
    }

    @Test("Of two merges in opposite directions, one happens")
    func bothDirections() async throws {
        let system = try await PasswordSystem()
        for round in 0..<Self.rounds {
            let johnny = try await system.session(of: system.signInWithApple("johnny"))
            let zoe = try await system.session(of: system.signInWithApple("zoe"))
            let intoJohnny = try await system.handle(for: "zoe", in: johnny)
            let intoZoe = try await system.handle(for: "johnny", in: zoe)
            let first = try await system.merges.plan(with: intoJohnny, in: johnny).confirmation
            let second = try await system.merges.plan(with: intoZoe, in: zoe).confirmation
            let outcomes = try await Self.both {
                await yieldToOthers(round.isMultiple(of: 2) ? round * 20 : 0)
                try await system.merge(intoJohnny, first, into: johnny)
            } and: {
                await yieldToOthers(round.isMultiple(of: 2) ? 0 : round * 20)
                try await system.merge(intoZoe, second, into: zoe)
            }
            let left = outcomes.merge == "done" ? johnny.account.id : zoe.account.id
            #expect([outcomes.merge, outcomes.other].sorted() == ["account_merged", "done"])
            #expect(try await Array(system.accounts().keys) == [left])
            #expect(try await system.store.identities(of: left).count == 2)
            #expect(try await system.signInWithApple("johnny").account.id == left)
            #expect(try await system.signInWithApple("zoe").account.id == left)
            _ = try await system.domain.directory.delete(left)
            system.clock.advance(by: .seconds(2))
        }
    }

    @Test(
        "A right password signs in to the remaining account if its account is merged while the password is checked",
        .timeLimit(.minutes(2)))
    func password() async throws {
        let system = try await PasswordSystem()
        let from = try await system.makeAccount()
        try await system.link(from)
        let into = try await system.session(of: system.signInWithApple("zoe"))
        let gate = ThreadGate()
        let slow = try await PasswordSystem(sharing: system, willHash: { _ in gate.pass() })
        let signIn = Task { try await slow.signIn() }
        await until { slow.passwords.hasher.running == 1 }
        try await system.merge(into: into)
        gate.open()
        let done = try await signIn.value
        #expect(done.account.id == into.account.id)
    }

    @Test("If two accounts merge the same one, one gets it, and the other stays unchanged")
    func third() async throws {
        let system = try await PasswordSystem()
        for round in 0..<Self.rounds {
            let from = try await system.signInWithApple("johnny").account.id
            let one = try await system.makeAccount("one\(round)@example.com")
            let other = try await system.makeAccount("other\(round)@example.com")
            let handles = try await [system.handle(in: one), system.handle(in: other)]
            let plans = [
                try await system.merges.plan(with: handles[0], in: one).confirmation,
                try await system.merges.plan(with: handles[1], in: other).confirmation,
            ]
            let outcomes = try await Self.both {
                await yieldToOthers(round.isMultiple(of: 2) ? round * 20 : 0)
                try await system.merge(handles[0], plans[0], into: one)
            } and: {
                await yieldToOthers(round.isMultiple(of: 2) ? 0 : round * 20)
                try await system.merge(handles[1], plans[1], into: other)
            }
            #expect([outcomes.merge, outcomes.other].sorted() == ["done", "handle_invalid"])
            let (winner, loser) = outcomes.merge == "done" ? (one, other) : (other, one)
            #expect(try await system.store.accountMerged(from: from)?.into == winner.account.id)
            #expect(try await system.links.list(in: winner.session).count == 2)
            #expect(try await system.links.list(in: loser.session).count == 1)
            #expect(try await system.end(of: loser) == nil)
            for account in [winner, loser] { _ = try await system.domain.directory.delete(account.account.id) }
            system.clock.advance(by: .seconds(2))
        }
    }
}
