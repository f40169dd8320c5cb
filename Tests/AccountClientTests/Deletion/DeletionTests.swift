import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("Deleting the account", .timeLimit(.minutes(2)))
struct DeletionTests {
    private let device = TestDevice()

    @Test("After a recent sign-in nobody is asked; the session is forgotten, and the handle tells the progress")
    func recent() async throws {
        let client = try await device.signedInClient()
        let script = AuthorizationScript(.cancel)
        let deletion = try await withAuthorizationScript(script) { try await client.deleteAccount() }
        #expect(script.requests.isEmpty)
        #expect(deletion.status == .waiting)
        #expect(!deletion.isOver)
        #expect(deletion.handle == "del_secret")
        #expect(!"\(deletion)".contains("del_secret"))
        #expect(!String(reflecting: deletion).contains("del_secret"))
        #expect(await client.account == nil)
        #expect(try device.stored == nil)
        var states = client.session.makeAsyncIterator()
        #expect(await states.next() == .signedOut(.accountDeleted))
        #expect(await failure { try await client.accessToken() }?.code == .notSignedIn)
    }

    @Test("Without a recent sign-in, the person is asked, and their credential is sent with the deletion")
    func asks() async throws {
        let client = try await device.signedInClient()
        device.service.on("DELETE /v1/account", .refusal(403, .requiresRecentLogin))
        let script = AuthorizationScript(TestDevice.appleAnswer())
        try await withAuthorizationScript(script) { _ = try await client.deleteAccount() }
        #expect(device.service.requests("POST /v1/challenges").first?.json["purpose"] as? String == "delete")
        let call = try #require(device.service.requests("POST /v1/account/delete").first)
        #expect(call.json["nonce"] as? String == TestService.challenge)
        #expect(call.json["identityToken"] as? String == "identity-token")
        #expect(try device.stored == nil)
    }

    @Test(
        "A person who cancels at Apple, or signs in as another person, keeps account and session",
        arguments: [true, false])
    func lostNothing(cancels: Bool) async throws {
        let client = try await device.signedInClient()
        device.service.on("DELETE /v1/account", .refusal(403, .requiresRecentLogin))
        device.service.on("POST /v1/account/delete", .refusal(403, .credentialMismatch))
        let script = AuthorizationScript(cancels ? .cancel : TestDevice.appleAnswer())
        let error = await withAuthorizationScript(script) { await failure { try await client.deleteAccount() } }
        #expect(error?.code == (cancels ? .cancelled : .refused(.credentialMismatch)))
        #expect(await client.account != nil)
        #expect(try device.stored != nil)
    }

    @Test("Without asking, it says that a recent sign-in is needed")
    func doesNotAsk() async throws {
        let client = try await device.signedInClient()
        device.service.on("DELETE /v1/account", .refusal(403, .requiresRecentLogin))
        let error = await failure { try await client.deleteAccount(promptingIfNeeded: false) }
        #expect(error?.code == .refused(.requiresRecentLogin))
        #expect(await client.account != nil)
    }

    @Test("If the answer is lost, the error says that the account is most likely deleted")
    func lost() async throws {
        let client = try await device.signedInClient()
        device.service.on("DELETE /v1/account", .lost, .refusal(401, .sessionEnded))
        device.service.on("POST /v1/session/refresh", .refusal(401, .refreshTokenInvalid))
        let error = await failure { try await client.deleteAccount() }
        #expect(error?.code == .sessionEnded)
        #expect(error?.hint?.contains("Most likely the account is deleted") == true)
        #expect(await client.account == nil)
    }

    @Test("Offline nothing is deleted, and nobody signed out")
    func offline() async throws {
        let client = try await device.signedInClient()
        device.service.on("DELETE /v1/account", .unreachable(.notConnectedToInternet))
        #expect(await failure { try await client.deleteAccount() }?.code == .backendUnavailable)
        #expect(await client.account != nil)
    }

    @Test("Its progress is told until it is over, whatever the network does meanwhile; nobody needs a session for it")
    func progress() async throws {
        let client = try await device.signedInClient()
        let deletion = try await client.deleteAccount()
        device.service.on(
            "GET /v1/deletions/del_secret", .lost, .deletion(.waiting), .deletion(.parked), .deletion(.done))
        // The first pauses pass by themselves, the later ones when the test says so.
        device.time.endLimits()
        var told: [AccountDeletion.Status] = []
        for try await state in client.progress(of: deletion) { told.append(state.status) }
        #expect(told == [.waiting, .parked, .done])
        #expect(device.time.pauses.prefix(3) == [.seconds(1), .seconds(2), .seconds(4)])
        let calls = device.service.requests("GET /v1/deletions/del_secret")
        #expect(calls.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("A handle from an earlier start still tells, until the service has forgotten it")
    func later() async throws {
        device.service.on("GET /v1/deletions/del_old", .deletion(.done), .refusal(404, .deletionUnknown))
        let client = try device.client()
        #expect(try await client.deletion("del_old").isOver)
        #expect(await failure { try await client.deletion("del_old") }?.code == .refused(.deletionUnknown))
    }

    @Test("When another process has signed somebody else in, their account is not deleted")
    func somebodyElse() async throws {
        let client = try await device.signedInClient()
        device.service.account.id = "acc_2"
        try await device.client().signIn(with: TestDevice.credential(user: "002000.bbbb"))
        device.time.advance(by: .seconds(600))
        #expect(await failure { try await client.deleteAccount() }?.code == .cancelled)
        #expect(device.service.requests("DELETE /v1/account").isEmpty)
    }
}

extension Reply {
    fileprivate static func deletion(_ status: DeletionStatus) -> Self {
        Self { _, _ in try .json(200, DeletionAnswer(deletion: TestService.deletion(status))) }
    }
}
