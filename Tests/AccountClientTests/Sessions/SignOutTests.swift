import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("Signing out", .timeLimit(.minutes(2)))
struct SignOutTests {
    private let device = TestDevice()

    @Test("The session ends here and at the account service, and storage is empty")
    func signsOut() async throws {
        let client = try await device.signedInClient()
        #expect(try await client.signOut())
        #expect(try device.stored == nil)
        #expect(await client.account == nil)
        #expect(await failure { try await client.accessToken() }?.code == .notSignedIn)
        let call = try #require(device.service.requests("DELETE /v1/session").first)
        #expect(call.headers["Authorization"] == "Bearer access-1.0")
        #expect(try await device.client().existingAccount() == nil)
    }

    @Test("With an old access token the account service is asked for another first; it is stored nowhere")
    func oldToken() async throws {
        _ = try await device.signedInClient()
        #expect(try await device.client().signOut())
        #expect(device.service.requests("DELETE /v1/session").first?.headers["Authorization"] == "Bearer access-1.1")
        #expect(try device.stored == nil)
    }

    @Test(
        "Without the account service the session ends here all the same",
        arguments: [
            Reply.unreachable(.notConnectedToInternet), .lost, .refusal(503, .unavailable), .page(404),
        ])
    func offline(reply: Reply) async throws {
        device.service.on("DELETE /v1/session", reply)
        let client = try await device.signedInClient()
        #expect(try await client.signOut() == false)
        #expect(try device.stored == nil)
        #expect(await client.account == nil)
    }

    @Test("Signing out of a session that the account service has already ended succeeds")
    func endedAlready() async throws {
        device.service.on("DELETE /v1/session", .refusal(401, .sessionEnded))
        let client = try await device.signedInClient()
        #expect(try await client.signOut())
    }

    @Test("A caller who is cancelled has signed out at the account service, too")
    func cancelled() async throws {
        let client = try await device.signedInClient()
        let task = Task { try await client.signOut() }
        task.cancel()
        let isEnded = try await task.value
        #expect(isEnded)
        #expect(device.service.requests("DELETE /v1/session").count == 1)
        #expect(try device.stored == nil)
    }

    @Test("An account service that never answers is not waited for beyond the limit")
    func silence() async throws {
        let asked = AuthorizationSignal()
        device.service.on("DELETE /v1/session") { [device] request in
            asked.send()
            return try await Reply.silence.answer(device.service, request)
        }
        let client = try await device.signedInClient()
        async let isEnded = client.signOut()
        await asked.wait()
        #expect(try device.stored == nil)
        device.time.endLimits()
        #expect(try await isEnded == false)
    }

    @Test("A storage that can't remove the session is an error, and nobody is signed in in this process")
    func storageFails() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            let client = try await device.signedInClient()
            try FileManager.default.setPermissions(0o755, of: folder)
            #expect(await failure { try await client.signOut() }?.code == .storage)
            #expect(await client.account == nil)
            #expect(device.service.requests("DELETE /v1/session").count == 1)
        }
    }

    @Test("After a sign-out that storage refused, a look removes the session and doesn't bring it back")
    func storageRecovers() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            device.service.on("DELETE /v1/session", .unreachable(.notConnectedToInternet))
            let client = try await device.signedInClient()
            try FileManager.default.setPermissions(0o755, of: folder)
            #expect(await failure { try await client.signOut() }?.code == .storage)
            try FileManager.default.setPermissions(0o700, of: folder)
            #expect(try await client.existingAccount() == nil)
            #expect(try device.stored == nil)
            #expect(device.service.requests("GET /v1/account").isEmpty)
        }
    }

    @Test("A record that can't be read is removed too")
    func damaged() async throws {
        try device.storage.save("{}}", as: TestDevice.name)
        let client = try device.client()
        #expect(try await client.signOut() == false)
        #expect(try device.stored == nil)
    }

    @Test("Callers who wait for a token learn that nobody is signed in, and the token is stored by nobody")
    func duringRefresh() async throws {
        let (begun, signal) = (AuthorizationSignal(), AuthorizationSignal())
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        device.service.on("POST /v1/session/refresh") { [device] request in
            begun.send()
            await signal.wait()
            return try device.service.usualAnswer(to: request)
        }
        async let error = failure { try await client.accessToken() }
        await begun.wait()
        async let isEnded = client.signOut()
        #expect(await error?.code == .notSignedIn)
        signal.send()
        #expect(try await isEnded)
        #expect(try device.stored == nil)
    }

    @Test("A sign-in that is under way is cancelled")
    func duringSignIn() async throws {
        let script = AuthorizationScript(TestDevice.appleAnswer().after(AuthorizationSignal()))
        let client = try device.client()
        try await withAuthorizationScript(script) {
            async let error = failure { try await client.signIn() }
            _ = await script.requests(atLeast: 1)
            try await client.signOut()
            #expect(await error?.code == .cancelled)
        }
        #expect(device.service.requests.isEmpty)
    }

    @Test("A session whose answer comes after the sign-out is ended at the account service")
    func afterPost() async throws {
        let (posted, signal, ended) = (AuthorizationSignal(), AuthorizationSignal(), AuthorizationSignal())
        device.service.on("POST /v1/sign-in/apple") { [device] request in
            posted.send()
            // Not a cancellable wait: the answer comes although nobody wants it any more.
            await Task { await signal.wait() }.value
            return try device.service.usualAnswer(to: request)
        }
        device.service.on("DELETE /v1/session") { _ in
            ended.send()
            return ServiceAnswer(status: 204)
        }
        let client = try device.client()
        async let error = failure { try await client.signIn(with: TestDevice.credential()) }
        await posted.wait()
        try await client.signOut()
        signal.send()
        #expect(await error?.code == .cancelled)
        await ended.wait()
        #expect(await client.account == nil)
        #expect(try device.stored == nil)
    }
}
