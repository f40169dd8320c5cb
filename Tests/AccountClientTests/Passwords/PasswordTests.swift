import AccountAPI
import AccountClient
import Foundation
import Testing

@Suite("Passwords", .timeLimit(.minutes(2)))
struct PasswordTests {
    private let device = TestDevice()

    @Test("A sign-up sends address, password and name, and signs nobody in")
    func signUp() async throws {
        let client = try device.client()
        try await client.signUp(email: TestDevice.email, password: TestDevice.password, name: ada)
        let call = try #require(device.service.requests("POST /v1/sign-up").first)
        #expect(call.json["email"] as? String == TestDevice.email)
        #expect(call.json["password"] as? String == TestDevice.password)
        #expect((call.json["fullName"] as? [String: Any])?["givenName"] as? String == "Ada")
        #expect(call.headers["Accept-Language"]?.isEmpty == false)
        #expect(call.headers["Authorization"] == nil)
        #expect(await client.account == nil)
        #expect(try device.stored == nil)
    }

    @Test("A sign-in by password opens a session, and knows no identifier of Apple's")
    func signIn() async throws {
        let client = try await device.clientByPassword()
        let call = try #require(device.service.requests("POST /v1/sign-in/password").first)
        #expect(call.json["email"] as? String == TestDevice.email)
        let account = try #require(await client.account)
        #expect(account.id == "acc_1" && account.user == nil)
        #expect(account.waysIn?.apple == false && account.waysIn?.hasPassword == true)
        #expect(account.waysIn?.email == TestDevice.email)
        #expect(try await client.accessToken() == "access-1.0")
        // Another start has the session, and the password is nowhere.
        #expect(try await device.client().existingAccount() == account)
        #expect(try device.stored?.contains("horse") == false)
    }

    @Test("If the answer to a sign-in doesn't tell the ways in, the account is asked; others keep what is known")
    func waysIn() async throws {
        device.service.account = TestService.accountByPassword
        device.service.on("POST /v1/sign-in/password") { _ in
            var account = TestService.accountByPassword
            account.waysIn = nil
            return try .json(
                200,
                SignInAnswer(account: account, session: TestService.session("1", generation: 0), isNewAccount: false))
        }
        device.service.on("PATCH /v1/account") { _ in
            var account = TestService.accountByPassword
            account.waysIn = nil
            account.phone = "+493012345678"
            return try .json(200, AccountAnswer(account: account))
        }
        let client = try device.client()
        let account = try await client.signIn(email: TestDevice.email, password: TestDevice.password)
        #expect(account.waysIn?.hasPassword == true)
        #expect(device.service.requests("GET /v1/account").count == 1)
        let changed = try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678")))
        #expect(changed.phone != nil && changed.waysIn == account.waysIn)
        // A service that is away after the sign-in signs nobody out.
        device.service.on("GET /v1/account", .unreachable(.notConnectedToInternet))
        #expect(try await client.signIn(email: TestDevice.email, password: TestDevice.password).id == account.id)
    }

    @Test("A sign-in tells the device's name")
    func deviceName() async throws {
        try await device.client(deviceName: "laptop").signIn(email: TestDevice.email, password: TestDevice.password)
        #expect(device.service.requests.first?.json["deviceName"] as? String == "laptop")
    }

    @Test("A refusal is not repeated, and has a hint", arguments: [ErrorCode.wrongCredentials, .passwordsOff])
    func refused(code: ErrorCode) async throws {
        device.service.on("POST /v1/sign-in/password", .refusal(code == .wrongCredentials ? 401 : 404, code))
        let client = try device.client()
        let error = await failure {
            try await client.signIn(email: TestDevice.email, password: TestDevice.password)
        }
        #expect(error?.code == .refused(code))
        #expect(error?.hint != nil)
        #expect(device.service.requests.count == 1)
        for text in ["\(error as Any)", error?.description ?? "", error?.reason ?? "", error?.hint ?? ""] {
            #expect(!text.contains("horse") && !text.contains("ada@"))
        }
    }

    @Test("A service that is busy is asked again; one that makes the person wait long is not")
    func busy() async throws {
        func reply(_ status: Int, _ code: ErrorCode, _ seconds: Int) -> Reply {
            Reply { _, _ in
                let details = ErrorDetails.rateLimited(RetryDelay(retryAfter: seconds))
                return try .json(
                    status,
                    ErrorEnvelope(ErrorEnvelope.Body(code: code, message: "no", requestID: "r", details: details)))
            }
        }
        device.service.on("POST /v1/sign-in/password", reply(503, .tooBusy, 2), .usual)
        try await device.client().signIn(email: TestDevice.email, password: TestDevice.password)
        #expect(device.time.pauses == [.seconds(2)])
        device.service.on("POST /v1/sign-in/password", reply(429, .rateLimited, 60))
        let client = try device.client()
        let error = await failure {
            try await client.signIn(email: TestDevice.email, password: TestDevice.password)
        }
        #expect(error?.code == .backendUnavailable)
        #expect(device.service.requests("POST /v1/sign-in/password").count == 3)
    }

    @Test(
        "A refused password says which rule it broke",
        arguments: [
            (.tooShort, "15"), (.tooLong, "128"), (.common, "common"), (.personal, "name"),
        ] as [(PasswordRefusal.Reason, String)])
    func rules(reason: PasswordRefusal.Reason, word: String) async throws {
        device.service.on("POST /v1/sign-up") { _ in try .passwordRefused(reason) }
        let client = try device.client()
        let error = await failure { try await client.signUp(email: TestDevice.email, password: "p") }
        #expect(error?.code == .refused(.passwordRefused))
        #expect(error?.passwordRefusal == PasswordRefusal(reason: reason, minimumLength: 15))
        #expect(error?.hint?.contains(word) == true)
        #expect(AccountClientError(.cancelled, "").passwordRefusal == nil)
    }

    @Test("A forgotten password is answered with a mail, whatever the address is")
    func forgotten() async throws {
        try await device.client().resetPassword(email: TestDevice.email)
        let call = try #require(device.service.requests("POST /v1/password/forgotten").first)
        #expect(call.json["email"] as? String == TestDevice.email)
    }

    @Test("A change of the password has the present one, and ends other sessions unless told otherwise")
    func change() async throws {
        let client = try await device.clientByPassword()
        try await client.changePassword(from: TestDevice.password, to: "a new one of many words")
        try await client.changePassword(from: nil, to: "a newer one", endingOtherSessions: false)
        let calls = device.service.requests("POST /v1/password")
        #expect(calls.map { $0.json["currentPassword"] as? String } == [TestDevice.password, nil])
        #expect(calls.map { $0.json["endOtherSessions"] as? Bool } == [true, false])
        #expect(calls.allSatisfy { $0.headers["Authorization"] == "Bearer access-1.0" })
    }

    @Test("If the answer to a change was lost, the new password proves that it has arrived")
    func lostChange() async throws {
        let client = try await device.clientByPassword()
        device.service.on("POST /v1/password", .lost, .refusal(401, .wrongCredentials))
        try await client.changePassword(from: TestDevice.password, to: "a new one of many words")
        let proof = try #require(device.service.requests("POST /v1/reauthenticate/password").first)
        #expect(proof.json["password"] as? String == "a new one of many words")
        // Without a lost answer a wrong password is a wrong password.
        device.service.on("POST /v1/password", .refusal(401, .wrongCredentials))
        let error = await failure { try await client.changePassword(from: "wrong", to: "a new one of many words") }
        #expect(error?.code == .refused(.wrongCredentials))
        #expect(device.service.requests("POST /v1/reauthenticate/password").count == 1)
    }

    @Test("The password proves that the person is there, and the session stays")
    func reauthenticate() async throws {
        let client = try await device.clientByPassword()
        let date = try await client.reauthenticate(password: TestDevice.password)
        #expect(date == Date(timeIntervalSince1970: 1_700_000_100))
        #expect(try await client.accessToken() == "access-fresh")
        #expect(try device.stored?.contains("refresh-1.0") == true)
    }

    @Test("A wrong password proves nothing, and signs nobody out")
    func wrongProof() async throws {
        let client = try await device.clientByPassword()
        device.service.on("POST /v1/reauthenticate/password", .refusal(401, .wrongCredentials))
        let error = await failure { try await client.reauthenticate(password: "wrong") }
        #expect(error?.code == .refused(.wrongCredentials))
        #expect(await client.account != nil)
    }

    @Test("Who signs in without Apple has no state there, and the service is not asked")
    func credentialState() async throws {
        let client = try await device.clientByPassword()
        #expect(try await client.credentialState() == .notFound)
        #expect(device.service.requests("GET /v1/apple/credential-state").isEmpty)
        #expect(await client.account != nil)
        device.time.advance(by: .seconds(600))
        #expect(try await client.accessToken() == "access-1.1")
        #expect(try device.stored?.contains("authorized") == false)
    }

    @Test("Who signs in without Apple is not sent there to delete their account")
    func deletion() async throws {
        let client = try await device.clientByPassword()
        device.service.on("DELETE /v1/account", .refusal(403, .requiresRecentLogin), .usual)
        let error = await failure { try await client.deleteAccount() }
        #expect(error?.code == .refused(.requiresRecentLogin))
        #expect(device.service.requests("POST /v1/challenges").isEmpty)
        try await client.reauthenticate(password: TestDevice.password)
        try await client.deleteAccount()
        #expect(await client.account == nil)
    }

    @Test("A newer sign-in takes the place of one by password")
    func superseded() async throws {
        let client = try device.client()
        device.service.on("POST /v1/sign-in/password", .silence)
        async let error = failure {
            try await client.signIn(email: TestDevice.email, password: TestDevice.password)
        }
        while device.service.requests("POST /v1/sign-in/password").isEmpty { await Task.yield() }
        try await client.signIn(with: TestDevice.credential())
        #expect(await error?.code == .cancelled)
        #expect(await client.account?.user == TestDevice.user)
    }

    @Test("A backend without TLS gets no password")
    func insecure() async throws {
        let url = try #require(URL(string: "http://accounts.example.com"))
        var configuration = AuthenticationServicesConfiguration(backend: url, app: "com.example.app")
        configuration.transport = device.service.transport
        let client = AccountClient(
            configuration: configuration, storage: MemoryStorage(), environment: device.time.environment)
        for error in [
            await failure { try await client.signIn(email: "a", password: "b") },
            await failure { try await client.signUp(email: "a", password: "b") },
        ] {
            #expect(error?.code == .notConfigured)
        }
        #expect(device.service.requests.isEmpty)
    }
}
