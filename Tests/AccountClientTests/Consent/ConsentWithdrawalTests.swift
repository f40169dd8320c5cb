import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import Testing

@Suite("A withdrawn consent that had linked a way in", .timeLimit(.minutes(2)))
struct ConsentWithdrawalTests {
    private let device = TestDevice()

    /// - Parameter other: another device than the suite's.
    private func withdraw(
        with client: AccountClient, on other: TestDevice? = nil, promptingIfNeeded: Bool = true
    ) async throws -> WithdrawnConsent {
        (other ?? device).service.on("GET /v1/consents") { _ in
            let consent = ConsentBody(
                id: "con_1", purpose: .contactEmail, textVersion: "1", givenAt: LinkBody.time, withdrawnAt: nil,
                clientID: "com.example.app", device: nil)
            return try .json(200, ConsentListAnswer(consents: [consent]))
        }
        let consent = try #require(try await client.consents().first)
        return try await client.withdrawConsent(consent, promptingIfNeeded: promptingIfNeeded)
    }

    private func answer(
        unlinked: LinkBody..., kept: LinkBody..., endsSession: Bool = false,
        manualRemoval: AccountAPI.ManualRemoval? = nil
    ) {
        device.service.on("DELETE /v1/consents/con_1") { [service = device.service] _ in
            try .json(
                200,
                ConsentWithdrawalAnswer(
                    account: service.account, unlinked: unlinked, kept: kept, endsSession: endsSession,
                    manualRemoval: manualRemoval))
        }
    }

    @Test("An address goes with its password, which this device forgets, and the session stays")
    func address() async throws {
        let client = try await device.signedInClient()
        try await client.savePassword(SavedPassword(email: TestDevice.email, password: TestDevice.password))
        answer(unlinked: .email())
        let outcome = try await withdraw(with: client)
        #expect(outcome.unlinked.map(\.id) == ["idn_email"] && outcome.kept.isEmpty && !outcome.isSignedOut)
        #expect(try await client.savedPassword() == nil)
        #expect(await client.account?.user == TestDevice.user)
        #expect(device.service.requests("GET /v1/links").isEmpty)
    }

    @Test("If the withdrawal removes the way in that opened this session, the session ends")
    func current() async throws {
        let client = try await device.signedInClient()
        let steps = try #require(URL(string: "https://account.apple.com/account/manage"))
        answer(
            unlinked: .apple(current: true), endsSession: true,
            manualRemoval: AccountAPI.ManualRemoval(message: "Remove it.", url: steps.absoluteString))
        let outcome = try await withdraw(with: client)
        #expect(outcome.isSignedOut && outcome.manualRemoval?.url == steps)
        #expect(outcome.account.id == device.service.account.id)
        #expect(await client.account == nil)
        #expect(try device.stored == nil)
    }

    @Test("If storage fails meanwhile, the session has ended all the same")
    func storageFails() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            let client = try await device.signedInClient()
            device.service.on("DELETE /v1/consents/con_1") { [service = device.service] _ in
                try FileManager.default.setPermissions(0o755, of: folder)
                var account = service.account
                account.phone = "+493012345678"
                return try .json(
                    200,
                    ConsentWithdrawalAnswer(
                        account: account, unlinked: [.apple(current: true)], kept: [], endsSession: true,
                        manualRemoval: nil))
            }
            let outcome = try await withdraw(with: client, on: device)
            #expect(outcome.isSignedOut && outcome.unlinked.map(\.id) == ["idn_apple"])
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
        device.service.list(.email(current: true))
        answer(unlinked: .apple())
        _ = try await withdraw(with: client)
        #expect(await client.account != nil)
        #expect(await client.account?.user == nil)
        #expect(try device.stored?.contains(TestDevice.user) == false)
    }

    @Test("A session that Apple opened keeps its person when another Apple Account goes")
    func keepsUser() async throws {
        let client = try await device.signedInClient()
        device.service.list(.apple(current: true))
        answer(unlinked: .apple("idn_other"), kept: .email())
        let outcome = try await withdraw(with: client)
        #expect(outcome.unlinked.map(\.id) == ["idn_other"] && outcome.kept.map(\.provider) == [.email])
        #expect(await client.account?.user == TestDevice.user)
    }

    @Test("A recent sign-in is asked for at Apple, if the app lets it be asked", arguments: [true, false])
    func freshProof(prompts: Bool) async throws {
        let client = try await device.signedInClient()
        device.service.on("DELETE /v1/consents/con_1") { [service = device.service] request in
            guard request.headers["Authorization"] == "Bearer access-fresh" else {
                return try .refusal(403, .requiresRecentLogin)
            }
            return try .json(
                200,
                ConsentWithdrawalAnswer(
                    account: service.account, unlinked: [.email()], kept: [], endsSession: false, manualRemoval: nil))
        }
        await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            let error = await failure { try await withdraw(with: client, promptingIfNeeded: prompts) }
            #expect(error?.code == (prompts ? nil : .refused(.requiresRecentLogin)))
        }
        #expect(device.service.requests("POST /v1/reauthenticate/apple").count == (prompts ? 1 : 0))
    }

    @Test("If the answer alone is lost, this device forgets the way in all the same", arguments: [true, false])
    func lost(hadApple: Bool) async throws {
        let client = try await device.clientByPassword()
        try await client.savePassword(SavedPassword(email: TestDevice.email, password: TestDevice.password))
        if hadApple {
            _ = try await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
                try await client.reauthenticate()
            }
        }
        let lost = Reply { service, _ in
            if hadApple { service.list(.email(current: true)) } else { service.list(.apple(current: true)) }
            throw URLError(.networkConnectionLost)
        }
        device.service.on("DELETE /v1/consents/con_1", lost, .refusal(404, .consentUnknown))
        let outcome = try await withdraw(with: client)
        #expect(outcome.unlinked.isEmpty && !outcome.isSignedOut)
        let saved = try await client.savedPassword()
        #expect((saved == nil) != hadApple)
        #expect(await client.account?.user == nil)
    }

    @Test("If the answer alone is lost, and Apple is still a way in, the device keeps Apple's identifier of the person")
    func lostBesideApple() async throws {
        let client = try await device.clientByPassword()
        _ = try await withAuthorizationScript(AuthorizationScript(TestDevice.appleAnswer())) {
            try await client.reauthenticate()
        }
        let lost = Reply { service, _ in
            service.list(.email(current: true), .apple())
            throw URLError(.networkConnectionLost)
        }
        device.service.on("DELETE /v1/consents/con_1", lost, .refusal(404, .consentUnknown))
        _ = try await withdraw(with: client)
        #expect(await client.account?.user == TestDevice.user)
    }

    @Test("If the answer is lost with the session, the error says what has most likely happened")
    func lostWithSession() async throws {
        let client = try await device.signedInClient()
        device.service.on("DELETE /v1/consents/con_1") { [service = device.service] _ in
            service.on("DELETE /v1/consents/con_1", .refusal(401, .sessionEnded))
            service.on("POST /v1/session/refresh", .refusal(401, .sessionEnded))
            throw URLError(.networkConnectionLost)
        }
        let error = await failure { try await withdraw(with: client) }
        #expect(error?.code == .sessionEnded && error?.hint?.contains("withdrawn") == true)
        #expect(await client.account == nil)
    }
}
