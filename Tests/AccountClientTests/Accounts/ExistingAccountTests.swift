import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("An account that is there already", .timeLimit(.minutes(2)))
struct ExistingAccountTests {
    private let device = TestDevice()

    @Test("The first start finds no account, and sends no request")
    func none() async throws {
        #expect(try await device.client().existingAccount() == nil)
        #expect(device.service.requests.isEmpty)
    }

    @Test("A later start confirms the account with the account service, and stores what has changed")
    func confirmed() async throws {
        _ = try await device.signedInClient()
        device.service.account.email = "new@example.com"
        let account = try #require(try await device.client().existingAccount())
        #expect(account.isConfirmed)
        #expect(account.email == "new@example.com")
        #expect(account.user == TestDevice.user)
        #expect(try device.stored?.contains("new@example.com") == true)
    }

    @Test(
        "Without the account service, the client returns the stored account, signed in but not confirmed",
        arguments: [
            Reply.unreachable(.notConnectedToInternet), .lost, .refusal(503, .unavailable), .page(503),
        ])
    func offline(reply: Reply) async throws {
        _ = try await device.signedInClient()
        device.service.on("POST /v1/session/refresh", reply)
        let client = try device.client()
        let account = try #require(try await client.existingAccount())
        #expect(!account.isConfirmed)
        #expect(account.formattedName == "Ada Lovelace")
        #expect(await client.account == account)
        #expect(try device.stored?.contains("refresh-1.0") == true)
    }

    @Test("An account service that never answers is given up at the time limit, and the session is kept")
    func silence() async throws {
        _ = try await device.signedInClient()
        let asked = AuthorizationSignal()
        device.service.on("POST /v1/session/refresh") { [device] request in
            asked.send()
            return try await Reply.silence.answer(device.service, request)
        }
        let client = try device.client()
        async let account = client.existingAccount()
        await asked.wait()
        device.time.endLimits()
        #expect(try await account?.isConfirmed == false)
    }

    @Test("If the account service has ended the session, no account is returned, and the state gives the reason")
    func ended() async throws {
        _ = try await device.signedInClient()
        device.service.on("POST /v1/session/refresh", .refusal(401, .sessionEnded))
        let client = try device.client()
        #expect(try await client.existingAccount() == nil)
        var states = client.session.makeAsyncIterator()
        #expect(await states.next() == .signedOut(.ended(.sessionEnded)))
        #expect(try await device.client().existingAccount() == nil)
    }

    @Test("A session that ends between two answers is ended too")
    func endedLater() async throws {
        _ = try await device.signedInClient()
        device.service.on("GET /v1/account", .refusal(401, .sessionEnded))
        #expect(try await device.client().existingAccount() == nil)
        #expect(try device.stored == nil)
    }

    @Test(
        "An unexpired access token that the account service refuses is replaced once",
        arguments: [
            ErrorCode.accessTokenExpired, .accessTokenInvalid,
        ])
    func refusedToken(code: ErrorCode) async throws {
        let client = try await device.signedInClient()
        device.service.on("GET /v1/account", .refusal(401, code), .usual)
        #expect(try await client.reloadAccount().id == "acc_1")
        let tokens = device.service.requests("GET /v1/account").map { $0.headers["Authorization"] }
        #expect(tokens == ["Bearer access-1.0", "Bearer access-1.1"])

        device.service.on("GET /v1/account", .refusal(401, code))
        #expect(await failure { try await client.reloadAccount() }?.code == .refused(code))
        #expect(await client.account != nil)
    }

    @Test("If somebody signs in meanwhile, the call doesn't say that nobody is signed in")
    func signInMeanwhile() async throws {
        let client = try await device.signedInClient()
        device.service.on("GET /v1/account") { [service = device.service] _ in
            service.account.id = "acc_2"
            try await client.signIn(with: TestDevice.credential(user: "002000.bbbb"))
            return try .json(200, AccountAnswer(account: TestService.account))
        }
        let error = await failure { try await client.existingAccount() }
        #expect(error?.code == .cancelled)
        #expect(await client.account?.id == "acc_2")
    }

    @Test("A sign-in in another process is found")
    func otherProcess() async throws {
        let client = try device.client()
        #expect(try await client.existingAccount() == nil)
        _ = try await device.signedInClient()
        #expect(try await client.existingAccount()?.id == "acc_1")
    }

    @Test("Two backends, and two apps, have their own sessions")
    func separate() async throws {
        _ = try await device.signedInClient()
        for (backend, app) in [("https://other.example.com", "com.example.app"), (TestDevice.backend, "com.example.b")]
        {
            let client = AccountClient(
                backend: try #require(URL(string: backend)), app: app, storage: device.storage
            ) { $0.transport = device.service.transport }
            #expect(try await client.existingAccount() == nil)
        }
    }
}
