import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import TaskSignals
import Testing

@Suite("Removing a way in", .timeLimit(.minutes(2)))
struct UnlinkTests {
    private let device = TestDevice()

    private func answer(
        _ id: String, left: LinkBody..., endsSession: Bool = false, manualRemoval: AccountAPI.ManualRemoval? = nil
    ) {
        device.service.on("DELETE /v1/links/\(id)") { [service = device.service] _ in
            service.account.waysIn = WaysInBody(
                apple: left.contains { $0.provider == "apple" }, email: nil, hasPassword: false)
            return try .json(
                200, UnlinkAnswer(links: left, endsSession: endsSession, manualRemoval: manualRemoval))
        }
    }

    /// A client of a person who has signed in with Apple and can sign in by password too, and their two identities.
    private func client() async throws -> (client: AccountClient, apple: AccountIdentity, email: AccountIdentity) {
        let client = try await device.signedInClient()
        device.service.list(.apple(current: true), .email())
        let links = try await client.links()
        return (client, try #require(links.first), try #require(links.last))
    }

    @Test("An address goes with its password, which this device forgets, and the session stays")
    func email() async throws {
        let (client, _, email) = try await client()
        try await client.savePassword(SavedPassword(email: TestDevice.email, password: TestDevice.password))
        answer("idn_email", left: .apple(current: true))
        let outcome = try await client.unlink(email)
        #expect(outcome.identities.map(\.id) == ["idn_apple"] && !outcome.isSignedOut && outcome.manualRemoval == nil)
        #expect(try await client.savedPassword() == nil)
        #expect(await client.account?.user == TestDevice.user)
        #expect(await client.account?.waysIn?.email == nil)
    }

    @Test("Removing the identity that opened this session ends the session")
    func current() async throws {
        let (client, apple, _) = try await client()
        let steps = try #require(URL(string: "https://account.apple.com/account/manage"))
        answer(
            "idn_apple", left: .email(), endsSession: true,
            manualRemoval: AccountAPI.ManualRemoval(message: "Remove it.", url: steps.absoluteString))
        let outcome = try await client.unlink(apple)
        #expect(outcome.isSignedOut && outcome.identities.map(\.provider) == [.email])
        #expect(outcome.manualRemoval?.url == steps)
        #expect(await client.account == nil)
        #expect(try device.stored == nil)
        #expect(await failure { try await client.links() }?.code == .notSignedIn)
    }

    @Test("If storage fails meanwhile, the session has ended all the same, and the instructions are there")
    func storageFails() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            let client = try await device.signedInClient()
            device.service.list(.apple(current: true), .email())
            let apple = try #require(try await client.links().first)
            device.service.on("DELETE /v1/links/idn_apple") { _ in
                try FileManager.default.setPermissions(0o755, of: folder)
                let removal = AccountAPI.ManualRemoval(message: "Remove it.", url: "https://account.apple.com")
                return try .json(200, UnlinkAnswer(links: [.email()], endsSession: true, manualRemoval: removal))
            }
            let outcome = try await client.unlink(apple)
            #expect(outcome.isSignedOut && outcome.manualRemoval?.message == "Remove it.")
            #expect(await client.account == nil)
        }
    }

    @Test("A session that a password opened forgets Apple's person with the Apple Account")
    func forgetsUser() async throws {
        let client = try await device.clientByPassword()
        _ = try await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            try await client.reauthenticate()
        }
        #expect(await client.account?.user == TestDevice.user)
        device.service.list(.email(current: true), .apple())
        let apple = try #require(try await client.links().last)
        answer("idn_apple", left: .email(current: true))
        try await client.unlink(apple)
        #expect(await client.account?.user == nil)
        #expect(try device.stored?.contains(TestDevice.user) == false)
        #expect(try await client.credentialState() == .notFound)
    }

    @Test("The last way in stays")
    func last() async throws {
        let (client, apple, _) = try await client()
        device.service.on("DELETE /v1/links/idn_apple", .refusal(409, .lastWayIn))
        let error = await failure { try await client.unlink(apple) }
        #expect(error?.code == .refused(.lastWayIn) && error?.hint != nil)
        #expect(await client.account != nil)
    }

    @Test("A recent sign-in is asked for at Apple, if the app lets it be asked", arguments: [true, false])
    func freshProof(prompts: Bool) async throws {
        let (client, _, email) = try await client()
        device.service.on("DELETE /v1/links/idn_email") { request in
            guard request.headers["Authorization"] == "Bearer access-fresh" else {
                return try .refusal(403, .requiresRecentLogin)
            }
            return try .json(
                200, UnlinkAnswer(links: [.apple(current: true)], endsSession: false, manualRemoval: nil))
        }
        await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            let error = await failure { try await client.unlink(email, promptingIfNeeded: prompts) }
            #expect(error?.code == (prompts ? nil : .refused(.requiresRecentLogin)))
        }
        #expect(device.service.requests("POST /v1/reauthenticate/apple").count == (prompts ? 1 : 0))
    }

    @Test("A session that a password opened asks nobody at Apple, though the account has an Apple Account")
    func proofByPassword() async throws {
        let client = try await device.clientByPassword()
        device.service.list(.email(current: true), .apple())
        _ = try await client.reloadAccount()
        let apple = try #require(try await client.links().last)
        device.service.on("DELETE /v1/links/idn_apple", .refusal(403, .requiresRecentLogin))
        let error = await failure { try await client.unlink(apple) }
        #expect(error?.code == .refused(.requiresRecentLogin))
        #expect(device.service.requests("POST /v1/challenges").isEmpty)
    }

    @Test("Removing an identity that is already gone is no error")
    func removed() async throws {
        let (client, _, email) = try await client()
        let calls = Lock(0)
        device.service.on("DELETE /v1/links/idn_email") { [service = device.service] _ in
            service.list(.apple(current: true))
            let number = calls.withLock { count in
                count += 1
                return count
            }
            if number == 1 { throw URLError(.networkConnectionLost) }
            return try .refusal(404, .identityUnknown)
        }
        for _ in 0..<2 {
            let outcome = try await client.unlink(email)
            #expect(outcome.identities.map(\.id) == ["idn_apple"] && !outcome.isSignedOut)
        }
        #expect(calls.withLock { $0 } == 3)
        #expect(await client.account?.user == TestDevice.user)
    }

    @Test("If the answer is lost with the session, the error says what has most likely happened")
    func lostWithSession() async throws {
        let (client, apple, _) = try await client()
        device.service.on("DELETE /v1/links/idn_apple") { [service = device.service] _ in
            service.on("DELETE /v1/links/idn_apple", .refusal(401, .sessionEnded))
            service.on("POST /v1/session/refresh", .refusal(401, .sessionEnded))
            throw URLError(.networkConnectionLost)
        }
        let error = await failure { try await client.unlink(apple) }
        #expect(error?.code == .sessionEnded && error?.hint?.contains("removed") == true)
        #expect(await client.account == nil)
    }
}
