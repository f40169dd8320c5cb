import AccountDatabase
import AccountEngines
import AppleIDTesting
import AppleIDTypes
import OpenIDConnect
import Testing

@testable import AccountService

@Suite("Concurrent sign-ins with another provider", .eachEngine)
struct ProviderRaceTests {
    private static let rounds = 8

    /// Signs a person in at the first provider.
    private func signIn(_ system: PasswordSystem, _ subject: String) async throws -> StoredSession {
        try await system.session(of: system.signInWithProvider(.init(subject)))
    }

    @Test("If several answers to one attempt come at once, one signs in, and the code is sent once")
    func oneAttempt() async throws {
        let system = try await PasswordSystem.withProviders()
        let web = system.domain.providerSignIn
        let beginning = try await web.begin(.signIn(nil), at: "example", returnPath: .account, browser: nil)
        let fields = system.providers[0].authorize(at: beginning.location)
        let ends = try await atOnce(6) { _ in
            do {
                guard case .signIn = try await web.finish(fields, at: "example", browser: beginning.browser) else {
                    return "no sign-in"
                }
                return "done"
            } catch let error as AccountError {
                return error.code.description
            }
        }
        #expect(ends.sorted() == Array(repeating: "attempt_unknown", count: 5) + ["done"])
        #expect(system.providers[0].exchanges == 1)
        #expect(try await system.accountCount() == 1)
    }

    @Test("Several first sign-ins of one person make one account")
    func firstSignIns() async throws {
        let system = try await PasswordSystem.withProviders()
        let credentials = try (0..<6).map { _ in try system.providerCredential() }
        let done = try await atOnce(credentials.count) { index in
            try await system.domain.signIn.native(credentials[index], from: PasswordSystem.caller)
        }
        #expect(Set(done.map(\.account.id)).count == 1 && done.filter(\.isNewAccount).count == 1)
        #expect(try await system.accountCount() == 1)
        #expect(try await system.count("identities") == 1)
    }

    @Test("A sign-in while the account is deleted leaves no session of the deleted account")
    func deletion() async throws {
        let system = try await PasswordSystem.withProviders()
        for round in 0..<Self.rounds {
            let subject = "person-\(round)"
            let session = try await signIn(system, subject)
            system.clock.advance(by: .seconds(1))
            let credential = try system.providerCredential(.init(subject))
            let ends = try await race([
                { _ = try await system.domain.signIn.native(credential, from: PasswordSystem.caller) },
                { _ = try await system.domain.deletions.delete(accountOf: session) },
            ])
            #expect(ends[1] == "done" && ["done", "unavailable"].contains(ends[0]), "\(ends)")
            #expect(try await system.store.account(session.account.id) == nil)
            // Whatever the order was, the person comes back to an account of their own.
            let after = try await signIn(system, subject)
            #expect(after.account.id != session.account.id)
        }
    }

    @Test("A sign-in while the identity is removed leaves no session of it in the account")
    func unlink() async throws {
        let system = try await PasswordSystem.withProviders()
        for round in 0..<Self.rounds {
            let subject = "person-\(round)"
            let owner = try await system.makeAccount("ann-\(round)@example.com")
            let linked = try await system.link(.init(subject), to: owner)
            let id = try #require(linked.last?.id)
            let credential = try system.providerCredential(.init(subject))
            let ends = try await race([
                { _ = try await system.domain.signIn.native(credential, from: PasswordSystem.caller) },
                { _ = try await system.links.remove(id, in: owner, from: PasswordSystem.caller) },
            ])
            #expect(ends[1] == "done" && ["done", "unavailable"].contains(ends[0]), "\(ends)")
            let live = try await system.store.sessions(
                of: owner.account.id, liveAt: system.now, before: nil, limit: 99)
            #expect(live.map(\.id) == [owner.session.id])
            #expect(try await signIn(system, subject).account.id != owner.account.id)
        }
    }

    @Test("If a first sign-in and another account's link come at once, one of the two accounts gets the person")
    func link() async throws {
        let system = try await PasswordSystem.withProviders()
        for round in 0..<Self.rounds {
            let subject = "person-\(round)"
            let owner = try await system.makeAccount("ann-\(round)@example.com")
            let proof = try system.providerCredential(.init(subject), for: .link, in: owner)
            let credential = try system.providerCredential(.init(subject))
            let ends = try await race([
                { _ = try await system.domain.signIn.native(credential, from: PasswordSystem.caller) },
                {
                    _ = try await system.links.link(
                        in: owner, with: proof, consent: nil, from: PasswordSystem.caller)
                },
            ])
            #expect(ends[0] == "done" && ["done", "credential_already_in_use"].contains(ends[1]), "\(ends)")
            let isOwner = try await signIn(system, subject).account.id == owner.account.id
            #expect(isOwner == (ends[1] == "done"))
        }
    }

    @Test("A sign-in while the account is merged opens the remaining account, or its session ends with the merge")
    func merge() async throws {
        let system = try await PasswordSystem.withProviders()
        for round in 0..<Self.rounds {
            let subject = "person-\(round)"
            let from = try await signIn(system, subject)
            let owner = try await system.makeAccount("ann-\(round)@example.com")
            let error = await expectError(.credentialAlreadyInUse) {
                try await system.link(.init(subject), to: owner)
            }
            let handle = try #require(error?.conflict?.handle)
            let plan = try await system.merges.plan(with: handle, in: owner)
            let credential = try system.providerCredential(.init(subject))
            async let entering = system.domain.signIn.native(credential, from: PasswordSystem.caller)
            async let merging = system.merge(handle, plan.confirmation, into: owner)
            let (entered, merged) = try await (entering, merging)
            #expect(merged.from == from.account.id && merged.account.id == owner.account.id)
            if entered.account.id == owner.account.id {
                let session = try await system.session(of: entered)
                #expect(session.account.id == owner.account.id)
            } else {
                #expect(entered.account.id == from.account.id)
                let told = await expectError(.accountMerged) { _ = try await system.session(of: entered) }
                #expect(told?.mergedInto == owner.account.id)
            }
            #expect(try await system.end(of: from) == .merged)
            let after = try await signIn(system, subject)
            #expect(after.account.id == owner.account.id)
        }
    }

    @Test("A provider that is removed while its browser is away can't finish the attempt, and nothing is used up")
    func removedProvider() async throws {
        let system = try await PasswordSystem.withProviders()
        let beginning = try await system.domain.providerSignIn.begin(
            .signIn(nil), at: "example", returnPath: .account, browser: nil)
        let fields = system.providers[0].authorize(at: beginning.location)
        let later = try await PasswordSystem(sharing: system, providers: ["other"])
        for id in ["example", "other"] {
            await expectError(id == "example" ? .providerUnknown : .attemptUnknown) {
                _ = try await later.domain.providerSignIn.finish(fields, at: id, browser: beginning.browser)
            }
        }
        #expect(system.providers[0].exchanges == 0)
        #expect(try await system.count("attempts") == 1)
        // The provider comes back in time.
        let ending = try await system.domain.providerSignIn.finish(
            fields, at: "example", browser: beginning.browser)
        guard case .signIn = ending else {
            Issue.record("it ended as \(ending)")
            return
        }
    }
}
