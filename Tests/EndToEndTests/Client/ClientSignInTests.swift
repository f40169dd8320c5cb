import AccountClient
import AppleIDTesting
import Foundation
import OpenAuthenticationServices
import Testing

@Suite("A client signs in at the service, which asks Apple", .eachEngine, .timeLimit(.minutes(2)))
struct ClientSignInTests {
    @Test(
        "the first sign-in has name and address, and a later one has them from the account",
        arguments: ClientSystem.Way.allCases)
    func firstAndLater(_ way: ClientSystem.Way) async throws {
        try await ClientSystem.run(way) { street in
            street.browser.change { $0.name = ("Jane", "Doe") }
            let client = street.client()
            let first = try await client.signIn()
            #expect(first.name?.givenName == "Jane")
            #expect(first.email == "johnny@example.com")
            try await client.signOut()

            let later = try await street.client().signIn()
            #expect(later.id == first.id)
            #expect(later.user == first.user)
            #expect(later.name?.givenName == "Jane")
        }
    }

    @Test("the session works at once, survives a new start without a browser, and ends with signing out")
    func wholeLife() async throws {
        try await ClientSystem.run { street in
            let storage = MemoryStorage()
            let account = try await street.client(storage: storage).signIn()

            let restarted = street.client(storage: storage)
            #expect(try await restarted.existingAccount()?.id == account.id)
            #expect(street.browser.pages.count == 1)
            try await restarted.signOut()

            #expect(try await street.client(storage: storage).existingAccount() == nil)
            await #expect(throws: AccountClientError.self) { try await restarted.accessToken() }
        }
    }

    @Test("cancelling at Apple is `cancelled`, and leaves nothing behind")
    func cancelAtApple() async throws {
        try await ClientSystem.run { street in
            street.browser.change { $0.cancelsAtApple = true }
            let storage = MemoryStorage()
            let client = street.client(storage: storage)
            let error = await #expect(throws: AccountClientError.self) { try await client.signIn() }
            #expect(error?.code == .cancelled)
            #expect(try await street.client(storage: storage).existingAccount() == nil)

            street.browser.change { $0.cancelsAtApple = false }
            _ = try await client.signIn()
        }
    }

    @Test("a redirect that is lost can be repeated from the service's last page")
    func lostRedirect() async throws {
        try await ClientSystem.run { street in
            street.browser.change { $0.reachesApp = false }
            let client = street.client(
                browser: street.browser,
                edit: { configuration in
                    let visit = street.browser
                    configuration.browser = BrowserPresenter { url in
                        try await visit.visit(url)
                        try await visit.returnAgain(to: url)
                    }
                })
            _ = try await client.signIn()
        }
    }

    @Test("an answer of another state or another nonce is refused", arguments: ["state", "identityToken"])
    func tampered(_ member: String) async throws {
        try await ClientSystem.run { street in
            let other = try await street.system.emulator.authorize(
                client: TestSystem.juice, nonce: String.nonce().sha256, native: true)
            street.network.replace(
                member, with: member == "state" ? "other" : other.identityToken ?? "",
                in: "/v1/authorizations/redeem")
            let error = await #expect(throws: AccountClientError.self) { try await street.client().signIn() }
            #expect(error?.code == .invalidResponse)
        }
    }

    @Test("another person than the request's user is refused")
    func anotherPerson() async throws {
        try await ClientSystem.run { street in
            let johnny = try await street.client().signIn()
            street.browser.change { $0.person = "zoe" }
            let outcome = await Outcome.perform(in: street.configuration()) { request in
                request.user = johnny.user
            }
            #expect(outcome.error?.code == .failed)
            #expect(outcome.credential == nil)
        }
    }
}
