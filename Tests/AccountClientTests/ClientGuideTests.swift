import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// The snippets of README, Docs/client.md, client-sessions.md, providers.md and apple-platforms.md, letter by letter.

// guide
@Test func remembersWhoSignedIn() async throws {
    let url = try #require(URL(string: "https://accounts.example.com"))
    let service = CannedAccountService()
    let client = AccountClient(backend: url, app: "juice", storage: MemoryStorage()) {
        $0.transport = service.transport
    }
    let script = AuthorizationScript(.credential(user: "001999.f2a7", identityToken: "a token"))
    let account = try await withAuthorizationScript(script) { try await client.signIn() }
    #expect(account.user == "001999.f2a7")
}
// end

/// An app that shows things.
@MainActor
private final class GuideApp {
    private(set) var shown: [String] = []

    func show(_ account: Account) { shown.append(account.formattedName ?? account.id) }
    func show(_ message: String) { shown.append(message) }
    func show(_ message: String, _ page: URL) { shown.append("\(message) \(page)") }
    func show(_ status: AccountDeletion.Status) { shown.append(status.rawValue) }
    func showLogin(_ reason: SignOutReason) { shown.append("\(reason)") }

    /// The snippet of README. No test calls it, because its client would keep the session in the system's storage.
    func first() async throws -> String {
        // guide
        let client = AccountClient(backend: URL(string: "https://accounts.example.com")!, app: "juice")
        let account = try await client.signIn()  // Apple's sheet on Apple's platforms, the person's browser elsewhere
        print(account.name?.givenName ?? account.id)
        let token = try await client.accessToken()  // for your own backend; refreshed when it must be
        // end
        return token
    }

    /// The first snippet of Docs/client.md. No test calls it, for the same reason.
    func start(_ url: URL) async throws -> URLRequest {
        var request = URLRequest(url: url)
        // guide
        let client = AccountClient(backend: URL(string: "https://accounts.example.com")!, app: "juice")

        if let account = try await client.existingAccount() {  // at each start: shows nothing, and asks no person
            show(account)
        } else {
            show(try await client.signIn())  // Apple's sheet, a browser, or a code to type elsewhere
        }
        request.setValue("Bearer \(try await client.accessToken())", forHTTPHeaderField: "Authorization")
        // end
        return request
    }

    func followStates(of client: AccountClient) async {
        // guide
        for await state in client.session {
            switch state {
            case .signedIn(let account): show(account)
            case .signedOut(let reason): showLogin(reason)
            }
        }
        // end
    }

    func followEvents(of client: AccountClient) async throws {
        // guide
        for try await event in client.events() where event.kind == .signedIn {
            show("Somebody has signed in on another device.")
        }
        // end
    }

    func delete(_ client: AccountClient) async throws {
        // guide
        let deletion = try await client.deleteAccount()  // Apple's sheet or a browser, if the sign-in is old
        if let removal = deletion.manualRemoval { show(removal.message, removal.url) }
        for try await state in client.progress(of: deletion) { show(state.status) }  // if anybody wants to see it
        // end
    }

    func deleteFreshly(_ client: AccountClient, _ appleIDCredential: ASAuthorizationAppleIDCredential) async throws {
        // guide
        let nonce = try await client.reauthenticationNonce()  // the request gets its SHA-256
        try await client.reauthenticate(with: AppleCredential(appleIDCredential, nonce: nonce))
        try await client.deleteAccount(promptingIfNeeded: false)
        // end
    }

    func signIn(_ client: AccountClient) async {
        // guide
        do throws(AccountClientError) {
            show(try await client.signIn())
        } catch let error where error.code == .cancelled {
            // The person gave up: show nothing.
        } catch {
            show(error.reason)
        }
        // end
    }

    func signIn(
        _ client: AccountClient, _ appleIDCredential: ASAuthorizationAppleIDCredential, rawNonce: String
    ) async throws {
        // guide
        // The request had the nonce's SHA-256, in lowercase hexadecimal.
        let credential = AppleCredential(appleIDCredential, nonce: rawNonce)
        try await client.signIn(with: credential)
        // end
    }

    func useProviders(_ client: AccountClient) async throws -> Int {
        // guide
        let account = try await client.signIn(with: .google)
        try await client.reauthenticate(with: .google)
        let identities = try await client.link(with: .microsoft)
        // end
        show(account)
        return identities.count
    }

    func saveItem() throws {
        // guide
        let item = KeychainItem(service: "com.example.juice", account: "userIdentifier")
        try item.saveItem("001999.f2a7")
        // end
    }
}

@Suite("The guide to the client", .timeLimit(.minutes(2)))
@MainActor
struct ClientGuideTests {
    private let app = GuideApp()
    private let service = CannedAccountService(givenName: "Ada", familyName: "Lovelace")
    private let script = AuthorizationScript(.credential(user: "001999.f2a7", identityToken: "a token"))

    private func client() throws -> AccountClient {
        let url = try #require(URL(string: "https://accounts.example.com"))
        return AccountClient(backend: url, app: "juice", storage: MemoryStorage()) { $0.transport = service.transport }
    }

    @Test("shows the person who signs in, and how far their deletion is")
    func life() async throws {
        let client = try client()
        await withAuthorizationScript(script) { await app.signIn(client) }
        try await app.delete(client)
        #expect(app.shown == ["Ada Lovelace", "done"])
    }

    @Test("shows nothing to somebody who gives up, and the reason of a refusal")
    func refusals() async throws {
        let client = try client()
        await withAuthorizationScript(AuthorizationScript(.cancel)) { await app.signIn(client) }
        #expect(app.shown.isEmpty)
        try service.refuse("POST /v1/sign-in/apple", status: 401, code: "nonce_mismatch")
        await withAuthorizationScript(script) { await app.signIn(client) }
        #expect(app.shown.count == 1)
    }

    @Test("plays a person who gives up at Apple")
    func cancels() async throws {
        let url = try #require(URL(string: "https://accounts.example.com"))
        // guide
        let client = AccountClient(backend: url, app: "juice", storage: MemoryStorage()) {
            $0.transport = ServiceTransport { request in ServiceAnswer(status: 503) }  // and `stream:` for events
        }
        let script = AuthorizationScript(.cancel)
        await withAuthorizationScript(script) {
            _ = await #expect(throws: AccountClientError(.cancelled, "")) { try await client.signIn() }
        }
        // end
    }
}
