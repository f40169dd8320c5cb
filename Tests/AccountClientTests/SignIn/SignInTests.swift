import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Crypto
import Foundation
import OpenAuthenticationServices
import TaskSignals
import Testing

@Suite("Signing in", .timeLimit(.minutes(2)))
struct SignInTests {
    /// The error of a script, which is ours on Apple's systems too. AccountClient brings Apple's of the same name there.
    typealias FlowError = OpenAuthenticationServices.ASAuthorizationError

    private let device = TestDevice()

    @Test("Apple is asked with a hashed nonce and a state; the account service gets the credential and the raw nonce")
    func signsIn() async throws {
        let script = AuthorizationScript(TestDevice.appleAnswer(fullName: ada))
        let client = try device.client()
        let account = try await withAuthorizationScript(script) { try await client.signIn() }
        #expect(account.id == "acc_1")
        #expect(account.user == TestDevice.user)
        #expect(account.name?.givenName == "Ada")
        #expect(account.formattedName == "Ada Lovelace")
        #expect(account.email == "ada@example.com")
        #expect(account.isConfirmed)
        #expect(await client.account == account)
        #expect(try await client.accessToken() == "access-1.0")

        let request = try #require(script.requests.first)
        #expect(request.requestedScopes == [.fullName, .email])
        #expect(request.state?.utf8.count == 43)
        let call = try #require(device.service.requests("POST /v1/sign-in/apple").first)
        let nonce = try #require(call.json["nonce"] as? String)
        #expect(nonce.utf8.count == 43)
        #expect(request.nonce == SHA256.hash(data: Data(nonce.utf8)).map { String(format: "%02x", $0) }.joined())
        #expect(call.json["identityToken"] as? String == "identity-token")
        #expect(call.json["authorizationCode"] as? String == "apple-code")
        #expect((call.json["fullName"] as? [String: Any])?["familyName"] as? String == "Lovelace")
    }

    @Test("Nonce and state are new each time, unlike each other, and of base64url's characters")
    func unguessable() async throws {
        let script = AuthorizationScript(TestDevice.appleAnswer())
        let client = try device.client()
        try await withAuthorizationScript(script) {
            for _ in 0..<8 { try await client.signIn() }
        }
        let nonces = device.service.requests("POST /v1/sign-in/apple").compactMap { $0.json["nonce"] as? String }
        let texts = nonces + script.requests.compactMap(\.state)
        #expect(Set(texts).count == 16)
        #expect(texts.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil })
    }

    @Test(
        "Scopes go to Apple as given and in their order",
        arguments: [[], ["email"], ["email", "full_name"]])
    func scopes(scopes: [String]) async throws {
        let script = AuthorizationScript(TestDevice.appleAnswer())
        let client = try device.client()
        try await withAuthorizationScript(script) { _ = try await client.signIn(scopes: scopes.map { .init($0) }) }
        #expect(script.requests.first?.requestedScopes.map(\.rawValue) == scopes)
    }

    @Test("The record has the refresh token, the user and the account, and no other secret")
    func stored() async throws {
        let script = AuthorizationScript(TestDevice.appleAnswer(fullName: ada))
        let client = try device.client()
        try await withAuthorizationScript(script) { _ = try await client.signIn() }
        let stored = try #require(try device.stored)
        #expect(stored.contains("refresh-1.0"))
        #expect(stored.contains(TestDevice.user))
        #expect(stored.contains("acc_1"))
        #expect(!stored.contains("pendingNames\":[{"))
        let nonce = try #require(device.service.requests[0].json["nonce"] as? String)
        for secret in ["identity-token", "apple-code", nonce, "access-1.0", script.requests[0].state ?? "-"] {
            #expect(!stored.contains(secret))
        }
    }

    @Test("A cancel is an error of its own, after which nothing is sent and nobody is signed in")
    func cancel() async throws {
        let client = try device.client()
        let error = await withAuthorizationScript(AuthorizationScript(.cancel)) {
            await failure { try await client.signIn() }
        }
        #expect(error?.code == .cancelled)
        #expect((error?.cause as? FlowError)?.code == .canceled)
        #expect(device.service.requests.isEmpty)
        #expect(await client.account == nil)
    }

    @Test(
        "Apple's errors keep their sentence and are the cause",
        arguments: [
            (
                FlowError.Code.failed, FlowError.Reason.stateMismatch,
                AccountClientError.Code.authorizationFailed
            ),
            (.invalidResponse, .nonceMismatch, .invalidResponse), (.failed, .serviceUnavailable, .backendUnavailable),
            (.notInteractive, .noBrowser, .authorizationFailed),
            (.notHandled, .notConfigured, .notConfigured),
            (.canceled, .timedOut, .cancelled),
        ])
    func authorizationFails(
        code: FlowError.Code, reason: FlowError.Reason, expected: AccountClientError.Code
    ) async throws {
        let client = try device.client()
        let error = await withAuthorizationScript(AuthorizationScript(.failure(code, reason: reason))) {
            await failure { try await client.signIn() }
        }
        #expect(error?.code == expected)
        let cause = try #require(error?.cause as? FlowError)
        #expect(cause.reason == reason)
        #expect(error?.reason == cause.userInfo[NSLocalizedFailureReasonErrorKey] as? String)
    }

    @Test("An answer with another state than the request's is refused")
    func otherState() async throws {
        let credential = OpenAuthenticationServices.ASAuthorizationAppleIDCredential(
            user: TestDevice.user, identityToken: Data("t".utf8), state: "another")
        let client = try device.client()
        let error = await withAuthorizationScript(AuthorizationScript(.success(credential))) {
            await failure { try await client.signIn() }
        }
        #expect(error != nil)
        #expect(device.service.requests.isEmpty)
    }

    @Test("A second sign-in cancels the first")
    func second() async throws {
        let signal = AuthorizationSignal()
        let script = AuthorizationScript(
            TestDevice.appleAnswer(user: "first").after(signal),
            TestDevice.appleAnswer(user: "second"))
        let client = try device.client()
        try await withAuthorizationScript(script) {
            async let first = failure { try await client.signIn() }
            _ = await script.requests(atLeast: 1)
            let account = try await client.signIn()
            #expect(account.user == "second")
            #expect(await first?.code == .cancelled)
        }
        #expect(await client.account?.user == "second")
        #expect(device.service.requests("POST /v1/sign-in/apple").count == 1)
    }

    @Test("A caller who is cancelled is told so, and Apple's sheet goes away")
    func callerCancelled() async throws {
        let script = AuthorizationScript(TestDevice.appleAnswer().after(AuthorizationSignal()))
        let client = try device.client()
        await withAuthorizationScript(script) {
            let task = Task { await failure { try await client.signIn() } }
            _ = await script.requests(atLeast: 1)
            task.cancel()
            #expect(await task.value?.code == .cancelled)
            await script.allAnswered()
        }
        #expect(device.service.requests.isEmpty)
    }

    #if os(Linux)
        @Test("A sign-in that is cancelled ends when the account service has been told, and not before")
        func cancelIsTold() async throws {
            let opened = AuthorizationSignal()
            let isTold = Lock(false)
            device.service.on("POST /v1/authorizations") { _ in
                try .json(
                    200,
                    RedirectAuthorizationAnswer(
                        id: "aut_1", url: "\(TestDevice.backend)/authorizations/aut_1",
                        expiresAt: APITime(secondsSince1970: Int64(Date.now.timeIntervalSince1970) + 600)))
            }
            device.service.on("POST /v1/authorizations/cancel") { _ in
                // Slow, so that an end that does not wait for it would come first.
                for _ in 0..<20 { await Task.yield() }
                isTold.withLock { $0 = true }
                return ServiceAnswer(status: 204)
            }
            let backend = try #require(URL(string: TestDevice.backend))
            var configuration = AuthenticationServicesConfiguration(backend: backend, app: "com.example.app")
            configuration.transport = device.service.transport
            configuration.flow = .browser
            configuration.browser.open = { _ in opened.send() }
            // A busy machine may need longer than the two seconds that telling is given.
            let patient = FlowTime(now: { Date() }, sleep: { _ in try await OneShot<Void>().value() })
            let client = AccountClient(
                configuration: configuration, storage: MemoryStorage(), environment: .system, time: patient)
            let task = Task { await failure { try await client.signIn() } }
            await opened.wait()
            task.cancel()
            #expect(await task.value?.code == .cancelled)
            #expect(device.service.requests("POST /v1/authorizations/cancel").count == 1)
            #expect(isTold.withLock { $0 })
        }
    #endif

    /// The sign-ins without a browser, by the route that opens their session.
    enum Route: String, CaseIterable {
        case apple = "/v1/sign-in/apple"
        case password = "/v1/sign-in/password"
        case provider = "/v1/sign-in/google"

        func signIn(with client: AccountClient) async throws {
            switch self {
            case .apple: _ = try await client.signIn(with: TestDevice.credential())
            case .password: _ = try await client.signIn(email: "ada@example.com", password: "a long password")
            case .provider:
                let token = ProviderToken(provider: .google, identityToken: "token", nonce: "nonce")
                _ = try await client.signIn(with: token)
            }
        }
    }

    @Test(
        "A sign-in that is cancelled while the account service answers leaves no session there",
        arguments: Route.allCases)
    func cancelledWhileAnswered(route: Route) async throws {
        let (posted, signal, ended) = (AuthorizationSignal(), AuthorizationSignal(), AuthorizationSignal())
        device.service.on("POST \(route.rawValue)") { [device] _ in
            posted.send()
            await signal.wait()
            // A transport gives a cancelled request up.
            try Task.checkCancellation()
            return try device.service.signIn()
        }
        device.service.on("DELETE /v1/session") { _ in
            ended.send()
            return ServiceAnswer(status: 204)
        }
        let client = try device.client()
        let task = Task { await failure { try await route.signIn(with: client) } }
        await posted.wait()
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        signal.send()
        await ended.wait()
        #expect(device.service.requests("DELETE /v1/session").first?.headers["Authorization"] == "Bearer access-1.0")
        #expect(device.service.requests("POST \(route.rawValue)").count == 1)
        #expect(await client.account == nil)
        #expect(try device.stored == nil)
    }

    @Test("The request of a cancelled sign-in is given up after a minute")
    func cancelledForGood() async throws {
        let (posted, givenUp) = (AuthorizationSignal(), AuthorizationSignal())
        device.service.on("POST /v1/sign-in/apple") { [device] request in
            posted.send()
            defer { givenUp.send() }
            return try await Reply.silence.answer(device.service, request)
        }
        let client = try device.client()
        let task = Task { await failure { try await client.signIn(with: TestDevice.credential()) } }
        await posted.wait()
        task.cancel()
        #expect(await task.value?.code == .cancelled)
        device.time.endLimits()
        await givenUp.wait()
        #expect(device.service.requests("DELETE /v1/session").isEmpty)
    }

    @Test("A storage that cannot be read is found out before the person is sent to Apple")
    func storageFails() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            try FileManager.default.setPermissions(0o755, of: folder)
            let script = AuthorizationScript(TestDevice.appleAnswer())
            let client = try device.client()
            let error = await withAuthorizationScript(script) { await failure { try await client.signIn() } }
            #expect(error?.code == .storage)
            #expect((error?.cause as? SecretStorageError)?.code == .unsafePermissions)
            #expect(error?.hint != nil)
            #expect(script.requests.isEmpty)
        }
    }

    @Test("A session that cannot be stored is ended, and nobody is signed in")
    func storageFailsLate() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            let ended = AuthorizationSignal()
            device.service.on("POST /v1/sign-in/apple") { request in
                try FileManager.default.setPermissions(0o755, of: folder)
                return try device.service.usualAnswer(to: request)
            }
            device.service.on("DELETE /v1/session") { request in
                ended.send()
                return ServiceAnswer(status: 204)
            }
            let client = try device.client()
            #expect(await failure { try await client.signIn(with: TestDevice.credential()) }?.code == .storage)
            #expect(await client.account == nil)
            await ended.wait()
            #expect(
                device.service.requests("DELETE /v1/session").first?.headers["Authorization"] == "Bearer access-1.0")
        }
    }

    @Test("A sign-in that can't be stored leaves the former session unchanged")
    func storageFailsAfterFormer() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            _ = try await device.signedInClient()
            let client = try device.client()
            #expect(try await client.accessToken() == "access-1.1")
            device.service.on("POST /v1/sign-in/apple") { request in
                try FileManager.default.setPermissions(0o755, of: folder)
                return try device.service.usualAnswer(to: request)
            }
            let before = await client.account
            #expect(await failure { try await client.signIn(with: TestDevice.credential()) }?.code == .storage)
            #expect(try await client.accessToken() == "access-1.1")
            #expect(await client.account == before)
        }
    }

    @Test("A stored record that cannot be read is replaced by a sign-in")
    func damagedRecord() async throws {
        try device.storage.save("{}}", as: TestDevice.name)
        let client = try device.client()
        #expect(await failure { try await client.existingAccount() }?.code == .storage)
        try await client.signIn(with: TestDevice.credential())
        #expect(try await device.client().existingAccount()?.id == "acc_1")
    }

    @Test("Somebody else's sign-in replaces the session, and the former session ends at the account service")
    func replaces() async throws {
        let client = try await device.signedInClient()
        let ended = AuthorizationSignal()
        device.service.on("DELETE /v1/session") { _ in
            ended.send()
            return ServiceAnswer(status: 204)
        }
        device.service.account.id = "acc_2"
        try await client.signIn(with: TestDevice.credential(user: "002000.bbbb"))
        #expect(await client.account?.id == "acc_2")
        #expect(try await client.accessToken() == "access-2.0")
        await ended.wait()
        #expect(device.service.requests("DELETE /v1/session").first?.headers["Authorization"] == "Bearer access-1.0")
    }
}
