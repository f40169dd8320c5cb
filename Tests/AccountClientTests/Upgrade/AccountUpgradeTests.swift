import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Crypto
import Foundation
import TaskSignals
import Testing

@Suite("The upgrade to Sign in with Apple", .timeLimit(.minutes(2)))
struct AccountUpgradeTests {
    private let device = TestDevice()

    private var upgrades: [ServiceRequest] { device.service.requests("POST /v1/account/upgrade") }

    @Test("The password proves who is there, then Apple is asked, and the account stays")
    func upgrades() async throws {
        let client = try await device.clientByPassword()
        try await client.savePassword(SavedPassword(email: TestDevice.email, password: TestDevice.password))
        let script = AuthorizationScript(TestDevice.appleAnswer())
        let account = try await withAuthorizationScript(script) {
            try await client.upgradeToApple(password: TestDevice.password, endingOtherSessions: true)
        }
        #expect(account.id == "acc_1" && account.user == TestDevice.user)
        #expect(account.waysIn?.apple == true && account.contactEmail == TestDevice.email)
        let order = device.service.requests.map { "\($0.method) \($0.path)" }.dropFirst()
        #expect(
            Array(order) == [
                "POST /v1/reauthenticate/password", "POST /v1/challenges", "POST /v1/account/upgrade",
            ])
        #expect(device.service.requests("POST /v1/challenges").first?.json["purpose"] as? String == "upgrade")
        let request = try #require(script.requests.first)
        #expect(request.requestedScopes == [.email])
        let hash = SHA256.hash(data: Data(TestService.challenge.utf8)).map { String(format: "%02x", $0) }.joined()
        #expect(request.nonce == hash)
        let call = try #require(upgrades.first)
        #expect(call.json["nonce"] as? String == TestService.challenge)
        #expect(call.json["identityToken"] as? String == "identity-token")
        #expect(call.json["endOtherSessions"] as? Bool == true)
        #expect(call.headers["Authorization"] == "Bearer access-fresh")
        // The session stays, the saved password goes, and a later start knows who it is.
        #expect(try await client.accessToken() == "access-upgraded")
        #expect(try await client.savedPassword() == nil)
        #expect(await client.account == account)
        #expect(try await device.client().existingAccount()?.user == TestDevice.user)
        #expect(try await client.credentialState() == .authorized)
    }

    @Test("A wrong password asks nobody at Apple")
    func wrongPassword() async throws {
        let client = try await device.clientByPassword()
        device.service.on("POST /v1/reauthenticate/password", .refusal(401, .wrongCredentials))
        let script = AuthorizationScript(TestDevice.appleAnswer())
        await withAuthorizationScript(script) {
            let error = await failure { try await client.upgradeToApple(password: "wrong") }
            #expect(error?.code == .refused(.wrongCredentials))
        }
        #expect(script.requests.isEmpty && upgrades.isEmpty)
    }

    @Test("A person who cancels at Apple signs in as before")
    func cancelled() async throws {
        let client = try await device.clientByPassword()
        let password = SavedPassword(email: TestDevice.email, password: TestDevice.password)
        try await client.savePassword(password)
        await withAuthorizationScript(AuthorizationScript(.cancel)) {
            let error = await failure { try await client.upgradeToApple(password: TestDevice.password) }
            #expect(error?.code == .cancelled)
        }
        #expect(upgrades.isEmpty)
        #expect(try await client.savedPassword() == password)
        #expect(await client.account?.user == nil)
    }

    @Test("A hidden address needs consent, for which the same credential is good")
    func consent() async throws {
        let client = try await device.clientByPassword()
        requireConsent()
        let questions = Lock<[ConsentQuestion]>([])
        let script = AuthorizationScript(TestDevice.appleAnswer())
        let account = try await withAuthorizationScript(script) {
            try await client.upgradeToApple(password: TestDevice.password) { question in
                questions.withLock { $0.append(question) }
                return true
            }
        }
        #expect(account.user == TestDevice.user)
        #expect(questions.withLock { $0.map(\.text) } == ["Text 1"])
        #expect(questions.withLock { $0.first?.purposes } == [.contactEmail])
        #expect(script.requests.count == 1)
        #expect(upgrades.map { $0.json["nonce"] as? String } == [TestService.challenge, TestService.challenge])
        #expect((upgrades.last?.json["consent"] as? [String: Any])?["textVersion"] as? String == "1")
    }

    @Test("A person who doesn't agree signs in as before; one who is not asked is refused", arguments: [true, false])
    func noConsent(isAsked: Bool) async throws {
        let client = try await device.clientByPassword()
        requireConsent()
        await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            let no: ConsentPrompt = { _ in false }
            let error = await failure {
                try await client.upgradeToApple(password: TestDevice.password, consent: isAsked ? no : nil)
            }
            #expect(error?.code == (isAsked ? .cancelled : .refused(.consentRequired)))
        }
        #expect(await client.account?.user == nil)
        #expect(upgrades.count == 1)
    }

    @Test(
        "A refusal has the service's code and a hint",
        arguments: [(409, ErrorCode.credentialAlreadyInUse), (403, .requiresRecentLogin), (409, .notByPassword)])
    func refused(status: Int, code: ErrorCode) async throws {
        let client = try await device.clientByPassword()
        device.service.on("POST /v1/account/upgrade", .refusal(status, code))
        await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            let error = await failure { try await client.upgradeToApple(password: TestDevice.password) }
            #expect(error?.code == .refused(code))
            #expect(error?.hint != nil)
        }
        #expect(upgrades.count == 1)
        #expect(await client.account?.user == nil)
    }

    @Test(
        "An upgrade whose answer was lost, by a proxy or on the way, is looked for before it is sent again",
        arguments: [true, false])
    func lost(byProxy: Bool) async throws {
        let client = try await device.clientByPassword()
        device.service.on("POST /v1/account/upgrade") { [service = device.service] _ in
            _ = try service.upgrade()
            guard byProxy else { throw URLError(.networkConnectionLost) }
            return ServiceAnswer(status: 504, body: Data("<html>".utf8))
        }
        let account = try await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            try await client.upgradeToApple(password: TestDevice.password)
        }
        #expect(account.user == TestDevice.user)
        #expect(upgrades.count == 1)
        #expect(try await client.accessToken() == "access-fresh")
    }

    @Test("It is looked for also if the access token has expired meanwhile")
    func lostWithToken() async throws {
        let client = try await device.clientByPassword()
        device.service.on("POST /v1/account/upgrade") { [service = device.service] _ in
            _ = try service.upgrade()
            throw URLError(.networkConnectionLost)
        }
        device.service.on("GET /v1/account", .refusal(401, .accessTokenExpired), .usual)
        let account = try await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            try await client.upgradeToApple(password: TestDevice.password)
        }
        #expect(account.user == TestDevice.user)
        #expect(upgrades.count == 1)
    }

    @Test("A storage that can't keep the upgrade doesn't undo it, and gets it later")
    func storageFails() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            let client = try await device.clientByPassword()
            device.service.on("POST /v1/account/upgrade") { [service = device.service] _ in
                try FileManager.default.setPermissions(0o755, of: folder)
                return try service.upgrade()
            }
            let script = AuthorizationScript(TestDevice.appleAnswer())
            let account = try await withAuthorizationScript(script) {
                try await client.upgradeToApple(password: TestDevice.password)
            }
            #expect(account.user == TestDevice.user)
            try FileManager.default.setPermissions(0o700, of: folder)
            _ = try await client.accessToken()
            #expect(try device.stored?.contains(TestDevice.user) == true)
        }
    }

    @Test("An upgrade that has not arrived is sent again")
    func notArrived() async throws {
        let client = try await device.clientByPassword()
        device.service.on("POST /v1/account/upgrade", .lost, .usual)
        _ = try await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            try await client.upgradeToApple(password: TestDevice.password)
        }
        #expect(upgrades.count == 2)
        #expect(await client.account?.user == TestDevice.user)
    }

    @Test(
        "After a lost answer, an Apple Account that opened the account before is no upgrade", arguments: [true, false])
    func otherAppleAccount(hasAddress: Bool) async throws {
        let client = try await device.clientByPassword()
        let password = SavedPassword(email: TestDevice.email, password: TestDevice.password)
        try await client.savePassword(password)
        device.service.account.name = nil
        device.service.account.waysIn = WaysInBody(
            apple: true, email: hasAddress ? TestDevice.email : nil, hasPassword: hasAddress)
        _ = try await client.reloadAccount()
        device.service.on("POST /v1/account/upgrade", .lost, .refusal(409, .credentialAlreadyInUse))
        let script = AuthorizationScript(TestDevice.appleAnswer(user: "002000.bbbb", fullName: ada))
        await withAuthorizationScript(script) {
            let error = await failure { try await client.upgradeToApple(password: nil) }
            #expect(error?.code == .refused(.credentialAlreadyInUse))
        }
        #expect(upgrades.count == 2)
        #expect(await client.account?.user == nil)
        // The password stays, and so does the name that Apple tells once.
        #expect(try await client.savedPassword() == password)
        #expect(try device.stored?.contains("Lovelace") == true)
    }

    @Test("An app's own controller gets a nonce for it, and a credential without one is not sent")
    func ownController() async throws {
        let client = try await device.clientByPassword()
        var credential = TestDevice.credential()
        credential.nonce = nil
        #expect(await failure { try await client.upgradeToApple(with: credential) }?.code == .notConfigured)
        #expect(upgrades.isEmpty)
        credential.nonce = try await client.upgradeNonce()
        #expect(try await client.upgradeToApple(with: credential).user == TestDevice.user)
        #expect(upgrades.first?.json["nonce"] as? String == TestService.challenge)
        #expect(upgrades.first?.json["endOtherSessions"] as? Bool == false)
    }

    // MARK: The name

    @Test(
        "An account without a name gets the one that Apple tells, once the upgrade succeeds", arguments: [false, true])
    func name(failsFirst: Bool) async throws {
        let client = try await device.clientByPassword()
        device.service.account.name = nil
        _ = try await client.reloadAccount()
        if failsFirst { device.service.on("POST /v1/account/upgrade", .refusal(401, .grantRejected), .usual) }
        let script = AuthorizationScript(TestDevice.appleAnswer(fullName: ada), TestDevice.appleAnswer())
        try await withAuthorizationScript(script) {
            if failsFirst {
                #expect(await failure { try await client.upgradeToApple(password: nil) } != nil)
                // Apple tells the name no more: storage has it.
                #expect(try device.stored?.contains("Lovelace") == true)
            }
            try await client.upgradeToApple(password: nil)
        }
        #expect(script.requests.first?.requestedScopes == [.fullName, .email])
        let names = upgrades.map { ($0.json["fullName"] as? [String: Any])?["familyName"] as? String }
        #expect(names == (failsFirst ? ["Lovelace", "Lovelace"] : ["Lovelace"]))
        #expect(try device.stored?.contains("Lovelace") == false)
    }

    // MARK: An upgrade on another device

    @Test("After an upgrade elsewhere the state of the credential is Apple's, and a deletion asks at Apple")
    func elsewhere() async throws {
        let client = try await device.clientByPassword()
        device.service.account.waysIn = WaysInBody(apple: true, email: nil, hasPassword: false)
        #expect(try await client.credentialState() == .authorized)
        device.service.on("DELETE /v1/account", .refusal(403, .requiresRecentLogin))
        let script = AuthorizationScript(TestDevice.appleAnswer())
        _ = try await withAuthorizationScript(script) { try await client.deleteAccount() }
        #expect(script.requests.count == 1)
        #expect(await client.account == nil)
    }

    @Test("A deletion notices that the account uses Apple now")
    func deletionElsewhere() async throws {
        let client = try await device.clientByPassword()
        device.service.account.waysIn = WaysInBody(apple: true, email: nil, hasPassword: false)
        device.service.on("DELETE /v1/account", .refusal(403, .requiresRecentLogin))
        _ = try await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            try await client.deleteAccount()
        }
        #expect(await client.account == nil)
    }

    @Test("After an upgrade elsewhere, a refused password reveals it, and a proof at Apple stores the user")
    func proofElsewhere() async throws {
        let client = try await device.clientByPassword()
        device.service.account.waysIn = WaysInBody(apple: true, email: nil, hasPassword: false)
        device.service.on("POST /v1/reauthenticate/password", .refusal(409, .notByPassword))
        let error = await failure { try await client.reauthenticate(password: TestDevice.password) }
        #expect(error?.code == .refused(.notByPassword))
        #expect(await client.account?.waysIn?.apple == true)
        #expect(await client.account?.user == nil)
        _ = try await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            try await client.reauthenticate()
        }
        #expect(await client.account?.user == TestDevice.user)
        #expect(try await device.client().existingAccount()?.user == TestDevice.user)
    }

    @Test("Without a session, the upgrade fails with notSignedIn")
    func nobody() async throws {
        let client = try device.client()
        let error = await failure { try await client.upgradeToApple(password: TestDevice.password) }
        #expect(error?.code == .notSignedIn)
        #expect(device.service.requests.isEmpty)
    }

    private func requireConsent() {
        device.service.on("GET /v1/consent-texts/1") { _ in
            try .json(200, ConsentTextAnswer(version: "1", language: "de", text: "Text 1"))
        }
        device.service.on("POST /v1/account/upgrade") { [service = device.service] request in
            let given = (request.json["consent"] as? [String: Any])?["textVersion"] as? String
            guard given == "1" else { return try .consentRequired([.contactEmail], textVersion: "1") }
            return try service.upgrade()
        }
    }
}
