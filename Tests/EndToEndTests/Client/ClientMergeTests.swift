import AccountAPI
import AccountClient
import AccountService
import AppleIDTesting
import Foundation
import OpenAuthenticationServices
import TaskSignals
import Testing

@Suite("A client that makes one account of two", .eachEngine, .timeLimit(.minutes(2)))
struct ClientMergeTests {
    /// Records the plans and the questions for consent that a person has seen, and answers them.
    private final class Person: Sendable {
        private let seen = Lock<[AccountMergePlan]>([])
        private let asked = Lock<[ConsentQuestion]>([])
        private let agrees: Bool

        init(agrees: Bool = true) {
            self.agrees = agrees
        }

        var plans: [AccountMergePlan] { seen.withLock { $0 } }
        var questions: [ConsentQuestion] { asked.withLock { $0 } }

        @Sendable func confirm(_ plan: AccountMergePlan) -> Bool {
            seen.withLock { $0.append(plan) }
            return agrees
        }

        @Sendable func consent(_ question: ConsentQuestion) -> Bool {
            asked.withLock { $0.append(question) }
            return agrees
        }
    }

    /// Tries to link an Apple Account that opens another account.
    /// - Returns: the handle for that account.
    private func handle(of client: AccountClient) async throws -> SignInHandle {
        do {
            try await client.link()
        } catch {
            return try #require(error.signInHandle)
        }
        throw NoConflict()
    }

    private struct NoConflict: Error {}

    /// - Returns: the reason why the accounts were not merged; nil if they were.
    private func merge(
        _ client: AccountClient, _ handle: SignInHandle, _ merger: Person, agreeing person: Person? = nil
    ) async -> AccountClientError? {
        do throws(AccountClientError) {
            if let person {
                try await client.mergeAccounts(with: handle, confirming: merger.confirm, consent: person.consent)
            } else {
                try await client.mergeAccounts(with: handle, confirming: merger.confirm)
            }
            return nil
        } catch {
            return error
        }
    }

    private func reloadFailure(of client: AccountClient) async -> AccountClientError? {
        do throws(AccountClientError) {
            _ = try await client.reloadAccount()
            return nil
        } catch {
            return error
        }
    }

    @Test("lists what happens first, and the other device learns the new id", arguments: [false, true])
    func merge(losesAnswer: Bool) async throws {
        try await MailedSystem.run(.sockets) { street in
            let storage = MemoryStorage()
            let elsewhere = street.system.client(storage: storage)
            let taken = try await elsewhere.signIn()
            let client = street.system.client()
            let account = try await street.signUp(client)
            let handle = try await handle(of: client)
            let merger = Person()
            if losesAnswer { street.system.network.loseNextAnswer(from: "/v1/account/merge") }
            let error = await merge(client, handle, merger)
            #expect(error == nil)
            let plan = try #require(merger.plans.first)
            #expect(merger.plans.count == 1)
            #expect(plan.from == taken.id && plan.into == account.id && plan.lostSessions == 1)
            #expect(plan.movedIdentities.map(\.provider) == [.apple] && plan.lostIdentities == [])
            let told = await client.account
            #expect(told?.id == account.id && told?.waysIn?.apple == true && told?.waysIn?.hasPassword == true)
            let links = try await client.links()
            #expect(links.count == 2)

            let gone = await reloadFailure(of: elsewhere)
            #expect(gone?.code == .sessionEnded && gone?.mergedInto == account.id)
            let there = await elsewhere.account
            #expect(there == nil)
            let restarted = await reloadFailure(of: street.system.client(storage: storage))
            #expect(restarted?.code == .sessionEnded && restarted?.mergedInto == account.id)
            let back = try await street.system.client(storage: MemoryStorage()).signIn()
            #expect(back.id == account.id)
        }
    }

    @Test("merges nothing if the person says no, and a handle once")
    func declined() async throws {
        try await MailedSystem.run(.sockets) { street in
            let taken = try await street.system.client(storage: MemoryStorage()).signIn()
            let client = street.system.client()
            _ = try await street.signUp(client)
            let handle = try await handle(of: client)
            let shy = Person(agrees: false)
            let declined = await merge(client, handle, shy)
            #expect(declined?.code == .cancelled && shy.plans.map(\.from) == [taken.id])
            let links = try await client.links()
            #expect(links.map(\.provider) == [.email])

            let merged = await merge(client, handle, Person())
            #expect(merged == nil)
            let again = await merge(client, handle, Person())
            #expect(again?.code == .refused(.handleInvalid))
        }
    }

    @Test("asks for consent if one of the accounts hides its address", arguments: [true, false])
    func hidden(agrees: Bool) async throws {
        try await MailedSystem.run(.sockets) { street in
            street.system.browser.change { $0.hidesEmail = true }
            let taken = try await street.system.client(storage: MemoryStorage()).signIn()
            let client = street.system.client()
            let account = try await street.signUp(client)
            let handle = try await handle(of: client)
            let person = Person(agrees: agrees)
            let error = await merge(client, handle, Person(), agreeing: person)
            #expect(error?.code == (agrees ? nil : .cancelled))
            #expect(person.questions.map(\.purposes) == [[.linkedIdentity]])
            let links = try await client.links()
            #expect(links.count == (agrees ? 2 : 1))
            let back = try await street.system.client(storage: MemoryStorage()).signIn()
            #expect(back.id == (agrees ? account.id : taken.id))
        }
    }

    @Test("needs a sign-in of the last five minutes")
    func late() async throws {
        try await MailedSystem.run(.sockets) { street in
            _ = try await street.system.client(storage: MemoryStorage()).signIn()
            let client = street.system.client()
            _ = try await street.signUp(client)
            street.system.system.clock.advance(by: .seconds(240))
            let handle = try await handle(of: client)
            street.system.system.clock.advance(by: .seconds(120))
            let merger = Person()
            let error = await merge(client, handle, merger)
            #expect(error?.code == .refused(.requiresRecentLogin) && merger.plans.isEmpty)
            let links = try await client.links()
            #expect(links.count == 1)
        }
    }
}
