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

    @Test("The ways in are those that the latest answer tells, and none when it tells none")
    func waysIn() async throws {
        let client = try await device.clientByPassword()
        #expect(device.service.requests("GET /v1/account").isEmpty)
        device.service.account.waysIn = WaysInBody(apple: false, email: TestDevice.email, hasPassword: false)
        #expect(try await client.reloadAccount().waysIn?.hasPassword == false)
        device.service.account.waysIn = nil
        #expect(try await client.updateProfile(ProfileUpdate(phone: .set("+493012345678"))).waysIn == nil)
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

    @Test("A service that is busy is asked again")
    func busy() async throws {
        device.service.on("POST /v1/sign-in/password", .wait(503, .tooBusy, seconds: 2), .usual)
        try await device.client().signIn(email: TestDevice.email, password: TestDevice.password)
        #expect(device.time.pauses == [.seconds(2)])
    }

    @Test(
        "A longer wait is not waited for, and the error says how long it is",
        arguments: [
            (429, .rateLimited, 8, "8 seconds"), (429, .rateLimited, 900, "15 minutes"),
            (503, .tooBusy, 60, "60 seconds"),
            (429, .rateLimited, 121, "3 minutes"),
        ] as [(Int, ErrorCode, Int, String)])
    func wait(status: Int, code: ErrorCode, seconds: Int, words: String) async throws {
        let client = try await device.clientByPassword()
        for path in ["/v1/sign-in/password", "/v1/password", "/v1/reauthenticate/password"] {
            device.service.on("POST \(path)", .wait(status, code, seconds: seconds))
        }
        for error in [
            await failure { try await client.signIn(email: TestDevice.email, password: "wrong") },
            await failure { try await client.reauthenticate(password: "wrong") },
            await failure { try await client.changePassword(from: "wrong", to: "a new one of many words") },
        ] {
            #expect(error?.code == .backendUnavailable)
            #expect(error?.retryAfter == .seconds(seconds))
            #expect(error?.hint == "Try again in \(words).")
        }
        #expect(device.time.pauses.isEmpty)
        #expect(AccountClientError(.backendUnavailable, "").retryAfter == nil)
    }

    @Test(
        "The hint for a wait of one second says 1 second, and for no wait it says later",
        arguments: [(1, "Try again in 1 second."), (0, "Try again later.")])
    func shortWait(seconds: Int, hint: String) async throws {
        device.service.on("POST /v1/sign-in/password", .wait(429, .rateLimited, seconds: seconds))
        let client = try device.client()
        let error = await failure { try await client.signIn(email: TestDevice.email, password: "wrong") }
        // The library asks three times in all before an app hears of a short wait.
        #expect(device.service.requests.count == 3)
        #expect(error?.hint == hint)
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

    @Test("The new password proves it also if the access token has expired meanwhile")
    func lostChangeWithToken() async throws {
        let client = try await device.clientByPassword()
        device.service.on(
            "POST /v1/password", .lost, .refusal(401, .accessTokenExpired), .refusal(401, .wrongCredentials))
        try await client.changePassword(from: TestDevice.password, to: "a new one of many words")
        let proof = try #require(device.service.requests("POST /v1/reauthenticate/password").first)
        #expect(proof.json["password"] as? String == "a new one of many words")
        #expect(proof.headers["Authorization"] == "Bearer access-1.1")
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

    @Test("A person who signs in without Apple has no state there")
    func credentialState() async throws {
        let client = try await device.clientByPassword()
        #expect(try await client.credentialState() == .notFound)
        #expect(device.service.requests("GET /v1/apple/credential-state").isEmpty)
        #expect(await client.account != nil)
        device.time.advance(by: .seconds(600))
        #expect(try await client.accessToken() == "access-1.1")
        #expect(try device.stored?.contains("authorized") == false)
    }

    @Test("A person who signs in without Apple is not sent there to delete their account")
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

    @Test("A newer sign-in replaces one by password")
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
