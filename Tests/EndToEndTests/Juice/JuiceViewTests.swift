import AccountClient
import Foundation
import JuiceScreens
import OpenAuthenticationServices
import Testing

/// The view model of the sample app's views, in front of the account service and the emulator.
@MainActor
@Suite("Juice with views", .eachEngine, .timeLimit(.minutes(2)))
struct JuiceViewTests {
    private static func juice(at system: ClientSystem) -> JuiceViewModel {
        let configuration = system.configuration()
        return JuiceViewModel(settings: JuiceSettings(backend: configuration.backend), storage: MemoryStorage()) {
            $0.flow = .browser
            $0.browser = configuration.browser
            $0.transport = configuration.transport
        }
    }

    /// The first page that a view sees on which this is so.
    @discardableResult
    private static func page(of juice: JuiceViewModel, where isSo: @Sendable (JuicePage) -> Bool) async throws
        -> JuicePage
    {
        for await page in juice.pages where isSo(page) { return page }
        throw CancellationError()
    }

    private nonisolated static func profile(_ page: JuicePage) -> Profile? {
        if case .result(let profile) = page.screen { profile } else { nil }
    }

    private nonisolated static func notice(_ page: JuicePage) -> LoginNotice? {
        if case .login(let notice) = page.screen { notice } else { nil }
    }

    /// Signs in as the button does where there is no sheet.
    private static func signIn(_ juice: JuiceViewModel) async throws -> Profile {
        juice.start()
        try await page(of: juice) { $0.screen == .login(nil) }
        juice.press(.signIn)
        return try #require(profile(try await page(of: juice) { profile($0) != nil }))
    }

    @Test("a person signs in, sees their sessions, and deletes the account")
    func wholeLife() async throws {
        try await ClientSystem.run { street in
            let juice = await Self.juice(at: street)
            let profile = try await Self.signIn(juice)
            #expect(profile.email == "johnny@example.com")
            #expect(!profile.signsInByEmail)

            await juice.press(.sessions)
            let sessions = try await Self.page(of: juice) { if case .sessions = $0.screen { true } else { false } }
            guard case .sessions(let rows) = sessions.screen else {
                Issue.record("the page lists no sessions")
                return
            }
            #expect(rows.count == 1 && rows.first?.isCurrent == true)
            await juice.goBack()

            await juice.press(.delete)
            await juice.press(.confirmDeletion)
            let end = try await Self.page(of: juice) { Self.notice($0) != nil }
            #expect(Self.notice(end)?.text.hasPrefix("Your account is deleted.") == true)
        }
    }

    @Test("a person changes their name, and signs out")
    func profile() async throws {
        try await ClientSystem.run { street in
            let juice = await Self.juice(at: street)
            _ = try await Self.signIn(juice)
            await juice.press(.profile)
            await juice.update(.name(givenName: "Jane", familyName: "Roe"))
            let page = try await Self.page(of: juice) {
                if case .profile(let profile) = $0.screen { profile.givenName == "Jane" } else { false }
            }
            #expect(page.buttons.contains(.back))
            await juice.goBack()
            await juice.press(.signOut)
            let end = try await Self.page(of: juice) { if case .login = $0.screen { true } else { false } }
            #expect(Self.notice(end) == nil)
        }
    }

    @Test("a person with a password logs in, and upgrades to Apple")
    func upgrade() async throws {
        try await MailedSystem.run { street in
            _ = try await street.signUp(street.system.client())
            let juice = await Self.juice(at: street.system)
            await juice.start()
            try await Self.page(of: juice) { $0.screen == .login(nil) }
            await juice.logIn(email: MailedSystem.email, password: MailedSystem.password)
            try await Self.page(of: juice) { if case .offeringToSave = $0.screen { true } else { false } }
            await juice.press(.dontSave)
            await juice.press(.upgrade)
            guard case .form(var form) = await juice.page.screen else {
                Issue.record("the upgrade asks for the password")
                return
            }
            form[.password] = MailedSystem.password
            await juice.submit(form)
            await juice.press(.keepElsewhere)
            let page = try await Self.page(of: juice) { Self.profile($0).map { !$0.signsInByEmail } ?? false }
            #expect(page.remark?.contains("you sign in with Apple") == true)
        }
    }
}

// On Apple's systems AccountClient takes Apple's credential.
#if !canImport(Darwin)
    /// The upgrade that the system begins, in front of the account service and the emulator.
    @Suite("Juice's upgrade from outside of the app", .eachEngine, .timeLimit(.minutes(2)))
    struct PasswordUpgradeTests {
        /// Upgrades as the extension does, with a credential for the nonce that the service gave.
        private func outcome(_ street: MailedSystem) async throws -> PasswordUpgrade.Outcome {
            let configuration = street.system.configuration()
            let upgrade = PasswordUpgrade(settings: JuiceSettings(backend: configuration.backend)) {
                $0.transport = configuration.transport
            }
            let nonce = try await upgrade.begin(email: MailedSystem.email, password: MailedSystem.password)
            let outcome = await Outcome.perform(in: configuration) { $0.nonce = nonce.sha256 }
            return try await upgrade.finish(with: AppleCredential(try #require(outcome.credential), nonce: nonce))
        }

        @Test("the password goes, and the account stays")
        func upgraded() async throws {
            try await MailedSystem.run { street in
                let account = try await street.signUp(street.system.client())
                #expect(try await outcome(street) == .upgraded)
                #expect(try await street.system.client().signIn().id == account.id)
            }
        }

        @Test("an upgrade that the account service refuses leaves no session")
        func refused() async throws {
            try await MailedSystem.run { street in
                let client = street.system.client()
                _ = try await street.signUp(client)
                let configuration = street.system.configuration()
                let upgrade = PasswordUpgrade(settings: JuiceSettings(backend: configuration.backend)) {
                    $0.transport = configuration.transport
                }
                let nonce = try await upgrade.begin(email: MailedSystem.email, password: MailedSystem.password)
                let during = try await client.sessions()
                #expect(during.count == 2)
                let credential = AppleCredential(
                    user: "001999.0a1b2c3d", identityToken: "e30.e30.e30", authorizationCode: nil, nonce: nonce)
                await #expect(throws: AccountClientError.self) { try await upgrade.finish(with: credential) }
                let after = try await client.sessions()
                #expect(after.count == 1)
            }
        }

        @Test("a person who hides their address keeps the password until they have agreed in the app")
        func consent() async throws {
            try await MailedSystem.run { street in
                street.system.browser.change { $0.hidesEmail = true }
                let account = try await street.signUp(street.system.client())
                #expect(try await outcome(street) == .consentNeeded)
                let client = street.system.client()
                #expect(
                    try await client.signIn(email: MailedSystem.email, password: MailedSystem.password).id == account.id
                )
            }
        }
    }
#endif
