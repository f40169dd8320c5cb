import AccountAPI
import AccountClient
import AccountService
import AppleIDTesting
import Foundation
import OpenAuthenticationServices
import TaskSignals
import Testing

@Suite("A client that links ways in", .eachEngine, .timeLimit(.minutes(2)))
struct ClientLinkTests {
    private static let email = MailedSystem.email
    private static let password = MailedSystem.password

    private func failure(_ call: () async throws -> Void) async -> AccountClientError? {
        do {
            try await call()
            return nil
        } catch {
            return error as? AccountClientError
        }
    }

    /// Signs in with Apple on another device.
    private func signInElsewhere(_ street: MailedSystem) async throws -> ToldAccount {
        try await street.system.client(storage: MemoryStorage()).signIn()
    }

    /// Records the questions for consent, and answers them.
    private final class Person: Sendable {
        private let asked = Lock<[ConsentQuestion]>([])
        private let agrees: Bool

        init(agrees: Bool = true) {
            self.agrees = agrees
        }

        var questions: [ConsentQuestion] { asked.withLock { $0 } }

        var prompt: ConsentPrompt {
            { question in
                self.asked.withLock { $0.append(question) }
                return self.agrees
            }
        }
    }

    // MARK: An Apple Account

    @Test("adds an Apple Account to a password, and signs in with either")
    func apple() async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            let account = try await street.signUp(client)
            let links = try await client.link()
            #expect(links.map(\.provider) == [.email, .apple])
            #expect(links.map(\.isCurrent) == [true, false])
            #expect(links.first?.address == Self.email && links.first?.hasPassword == true)
            #expect(links.last?.address == "johnny@example.com" && links.last?.team == "JUICETEAM1")
            #expect(try await client.links() == links)
            let told = await client.account
            #expect(told?.id == account.id && told?.waysIn?.apple == true && told?.waysIn?.hasPassword == true)
            // The state is that of the way in that opened the session.
            #expect(try await client.credentialState() == .notFound)
            #expect(try await signInElsewhere(street).id == account.id)
            let again = street.system.client(storage: MemoryStorage())
            #expect(try await again.signIn(email: Self.email, password: Self.password).id == account.id)
        }
    }

    @Test("adds another person's Apple Account beside one's own, after a fresh proof")
    func secondApple() async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            let account = try await client.signIn()
            street.system.system.clock.advance(by: .seconds(600))
            let browser = street.system.browser
            // Zoë signs in first, and then the person of the session once more.
            browser.change { manner in
                manner.person = "zoe"
                manner.beforeReturning = { browser.change { $0.person = "johnny" } }
            }
            let refused = await failure { try await client.link(promptingIfNeeded: false) }
            #expect(refused?.code == .refused(.requiresRecentLogin))
            browser.change { $0.person = "zoe" }
            #expect(try await client.link().map(\.provider) == [.apple, .apple])
            #expect(await client.account?.user == account.user)
            browser.change { manner in
                manner.person = "zoe"
                manner.beforeReturning = {}
            }
            let zoe = try await signInElsewhere(street)
            #expect(zoe.id == account.id && zoe.user != account.user)
        }
    }

    @Test("asks a person who hides their address for consent, who may decline", arguments: [true, false])
    func hiddenApple(agrees: Bool) async throws {
        try await MailedSystem.run(.sockets) { street in
            street.system.browser.change { $0.hidesEmail = true }
            let client = street.system.client()
            _ = try await street.signUp(client)
            let person = Person(agrees: agrees)
            let error = await failure { try await client.link(consent: person.prompt) }
            #expect(error?.code == (agrees ? nil : .cancelled))
            #expect(person.questions.map(\.purposes) == [[.linkedIdentity]])
            #expect(try await client.links().count == (agrees ? 2 : 1))
            #expect(
                try await client.consents().map(\.textVersion) == (agrees ? person.questions.map(\.textVersion) : []))
        }
    }

    @Test("recovers from a lost answer")
    func lostLink() async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            let account = try await street.signUp(client)
            street.system.network.loseNextAnswer(from: "/v1/link/apple")
            #expect(try await client.link().map(\.provider) == [.email, .apple])
            #expect(try await signInElsewhere(street).id == account.id)
        }
    }

    @Test("adds an Apple Account once; adding it again changes nothing")
    func sameAgain() async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            _ = try await street.signUp(client)
            let links = try await client.link()
            #expect(try await client.link().map(\.id) == links.map(\.id))
        }
    }

    // MARK: An address

    @Test("adds an address and a password to an Apple Account, and signs in with either", arguments: [false, true])
    func address(losesAnswer: Bool) async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            let account = try await client.signIn()
            street.system.system.clock.advance(by: .seconds(1))
            try await client.link(email: Self.email, password: Self.password)
            let link = try await street.link(.linkAddress)
            #expect(try await client.details(of: link).purpose == .link)
            // Nothing has changed before the address is proven, and no other session proves it.
            let other = street.system.client(storage: MemoryStorage())
            try await other.signIn()
            #expect(await failure { try await other.finishLink(link) }?.code == .refused(.linkUnknown))
            #expect(try await client.links().count == 1)
            if losesAnswer { street.system.network.loseNextAnswer(from: "/v1/link/password/finish") }
            #expect(try await client.finishLink(link).map(\.provider) == [.apple, .email])
            #expect(await client.account?.waysIn?.email == Self.email)
            let again = street.system.client(storage: MemoryStorage())
            #expect(try await again.signIn(email: Self.email, password: Self.password).id == account.id)
            let refused = await failure { try await client.link(email: "ada@home.example", password: Self.password) }
            #expect(refused?.code == .refused(.alreadyLinked))
        }
    }

    @Test("asks an account that hides its address before it gets one", arguments: [true, false])
    func addressOfHidden(agrees: Bool) async throws {
        try await MailedSystem.run(.sockets) { street in
            street.system.browser.change { $0.hidesEmail = true }
            let client = street.system.client()
            try await client.signIn()
            let person = Person(agrees: agrees)
            let error = await failure {
                try await client.link(email: Self.email, password: Self.password, consent: person.prompt)
            }
            #expect(error?.code == (agrees ? nil : .cancelled))
            #expect(person.questions.map(\.purposes) == [[.linkedIdentity]])
            if agrees { _ = try await client.finishLink(street.link(.linkAddress)) }
            #expect(try await client.links().count == (agrees ? 2 : 1))
        }
    }

    // MARK: An Apple Account of another account

    @Test("goes to the other account of an Apple Account by the handle, once, in the session that tried")
    func conflict() async throws {
        try await MailedSystem.run(.sockets) { street in
            let taken = try await signInElsewhere(street)
            let client = street.system.client()
            let account = try await street.signUp(client)
            let error = await failure { try await client.link() }
            #expect(error?.code == .refused(.credentialAlreadyInUse))
            let handle = try #require(error?.signInHandle)
            #expect(try await client.links().map(\.provider) == [.email])

            let other = street.system.client(storage: MemoryStorage())
            try await other.signIn(email: Self.email, password: Self.password)
            #expect(await failure { try await other.signIn(with: handle) }?.code == .refused(.handleInvalid))
            let there = try await client.signIn(with: handle)
            #expect(there.id == taken.id && there.user == taken.user && there.id != account.id)
            #expect(try await client.links().map(\.provider) == [.apple])
            #expect(await failure { try await client.signIn(with: handle) }?.code == .refused(.handleInvalid))
            // The first account is as it was.
            #expect(try await other.links().map(\.provider) == [.email])
        }
    }

    @Test("can use the handle for five minutes")
    func lateConflict() async throws {
        try await MailedSystem.run(.sockets) { street in
            _ = try await signInElsewhere(street)
            let client = street.system.client()
            let account = try await street.signUp(client)
            let handle = try #require(await failure { try await client.link() }?.signInHandle)
            #expect(handle.expiresAt.timeIntervalSince(street.system.system.clock.now) == 300)
            street.system.system.clock.advance(by: .seconds(301))
            #expect(await failure { try await client.signIn(with: handle) }?.code == .refused(.handleInvalid))
            #expect(await client.account?.id == account.id)
        }
    }

    // MARK: Removing

    @Test("removes an Apple Account, whose person then has an account of their own")
    func unlink() async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            let account = try await street.signUp(client)
            let apple = try #require(try await client.link().last)
            let elsewhere = street.system.client(storage: MemoryStorage())
            try await elsewhere.signIn()
            let outcome = try await client.unlink(apple)
            #expect(outcome.identities.map(\.provider) == [.email] && !outcome.isSignedOut)
            #expect(await client.account?.waysIn?.apple == false)
            #expect(try await client.credentialState() == .notFound)
            #expect(await failure { _ = try await elsewhere.reloadAccount() }?.code == .sessionEnded)
            // A second removal finds nothing to do.
            #expect(try await client.unlink(apple).identities.map(\.provider) == [.email])
            try await street.system.system.domain.outbox.drain()
            #expect(try await signInElsewhere(street).id != account.id)
        }
    }

    @Test("is signed out when it removes the way in that opened its session, and the saved password goes")
    func unlinkCurrent() async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            let account = try await street.signUp(client)
            try await client.savePassword(SavedPassword(email: Self.email, password: Self.password))
            let links = try await client.link()
            let email = try #require(links.first { $0.provider == .email })
            #expect(try await client.unlink(email).isSignedOut)
            #expect(await client.account == nil)
            #expect(try await client.savedPassword() == nil)
            let refused = await failure { try await client.signIn(email: Self.email, password: Self.password) }
            #expect(refused?.code == .refused(.wrongCredentials))
            #expect(try await client.signIn().id == account.id)
        }
    }

    @Test("can't remove the last way in")
    func last() async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            try await client.signIn()
            let only = try #require(try await client.links().first)
            #expect(await failure { try await client.unlink(only) }?.code == .refused(.lastWayIn))
            #expect(try await client.links() == [only])
        }
    }

    @Test("asks for a fresh proof before a removal, if the sign-in is old")
    func oldSignIn() async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            try await client.signIn()
            street.system.system.clock.advance(by: .seconds(1))
            try await client.link(email: Self.email, password: Self.password)
            let email = try #require(try await client.finishLink(street.link(.linkAddress)).last)
            street.system.system.clock.advance(by: .seconds(600))
            let refused = await failure { try await client.unlink(email, promptingIfNeeded: false) }
            #expect(refused?.code == .refused(.requiresRecentLogin))
            #expect(try await client.unlink(email).identities.map(\.provider) == [.apple])
        }
    }

    @Test("recovers from a lost answer to a removal")
    func lostRemoval() async throws {
        try await MailedSystem.run(.sockets) { street in
            let client = street.system.client()
            _ = try await street.signUp(client)
            let apple = try #require(try await client.link().last)
            street.system.network.loseNextAnswer(from: "/v1/links/\(apple.id)")
            #expect(try await client.unlink(apple).identities.map(\.provider) == [.email])
        }
    }
}
