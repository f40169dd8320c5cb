import AccountAPI
import AccountClient
import AccountService
import AppleIDTesting
import Foundation
import OpenAuthenticationServices
import TaskSignals
import Testing

@Suite("A client that signs in by password", .eachEngine, .timeLimit(.minutes(2)))
struct ClientPasswordTests {
    private static let email = MailedSystem.email
    private static let password = MailedSystem.password
    private static let other = "nine quiet umbrellas"

    private func run(
        _ way: ClientSystem.Way = .inProcess, _ test: @escaping @Sendable (MailedSystem) async throws -> Void
    ) async throws {
        try await MailedSystem.run(way, test)
    }

    private func code(_ call: () async throws -> Void) async -> AccountClientError.Code? {
        do {
            try await call()
            return nil
        } catch {
            return (error as? AccountClientError)?.code
        }
    }

    @Test("signs up by the link in the mail, and in again with the password", arguments: ClientSystem.Way.allCases)
    func signUp(_ way: ClientSystem.Way) async throws {
        try await run(way) { street in
            let client = street.system.client()
            try await client.signUp(
                email: Self.email, password: Self.password, name: PersonNameComponents(givenName: "Johnny"))
            // No account exists before the address is proven.
            #expect(
                await code { try await client.signIn(email: Self.email, password: Self.password) }
                    == .refused(.wrongCredentials))
            let link = try await street.link(.signUp)
            #expect(try await client.details(of: link).purpose == .signUp)
            let account = try await client.finishSignUp(link: link, password: Self.password)
            #expect(account.user == nil && account.name?.givenName == "Johnny" && account.email == Self.email)
            #expect(account.waysIn?.email == Self.email && account.waysIn?.hasPassword == true)
            #expect(account.waysIn?.apple == false)
            #expect(await code { _ = try await client.details(of: link) } == .refused(.linkUnknown))

            let again = street.system.client(storage: MemoryStorage())
            #expect(try await again.signIn(email: "Johnny@HOME.example", password: Self.password).id == account.id)
            #expect(try await again.credentialState() == .notFound)
            #expect(try await again.existingAccount()?.id == account.id)
            #expect(
                await code { try await again.signIn(email: Self.email, password: Self.other) }
                    == .refused(.wrongCredentials))
        }
    }

    @Test("doesn't need the password of the sign-up, and then has another")
    func otherPassword() async throws {
        try await run { street in
            let client = street.system.client()
            try await client.signUp(
                email: Self.email, password: Self.password, name: PersonNameComponents(givenName: "Mallory"))
            let link = try await street.link(.signUp)
            #expect(
                await code {
                    try await client.finishSignUp(link: link, newPassword: Self.other, email: "other@home.example")
                } == .refused(.emailNeeded))
            let account = try await client.finishSignUp(link: link, newPassword: Self.other, email: Self.email)
            #expect(account.name == nil)
            #expect(try await client.signIn(email: Self.email, password: Self.other).id == account.id)
        }
    }

    @Test("is told which rule a password breaks")
    func rules() async throws {
        try await run { street in
            let client = street.system.client()
            let error = await #expect(throws: AccountClientError.self) {
                try await client.signUp(email: Self.email, password: "short")
            }
            #expect(error?.passwordRefusal == PasswordRefusal(reason: .tooShort, minimumLength: 15))
        }
    }

    @Test("signs in by a link alone, with the address to which it was sent")
    func link() async throws {
        try await run { street in
            let client = street.system.client()
            try await client.requestSignInLink(email: Self.email)
            let link = try await street.link(.signInLink)
            #expect(try await client.details(of: link).needsEmail)
            #expect(await code { try await client.finishSignIn(link: link, email: nil) } == .refused(.emailNeeded))
            let account = try await client.finishSignIn(link: link, email: Self.email)
            #expect(account.waysIn?.email == Self.email && account.waysIn?.hasPassword == false)
            #expect(
                await code { try await client.reauthenticate(password: Self.password) } == .refused(.notByPassword))
            try await client.changePassword(from: nil, to: Self.password)
            #expect(try await client.signIn(email: Self.email, password: Self.password).id == account.id)
        }
    }

    @Test("sets a forgotten password anew, which ends every session")
    func reset() async throws {
        try await run { street in
            let client = street.system.client()
            let account = try await street.signUp(client)
            let other = street.system.client(storage: MemoryStorage())
            try await other.resetPassword(email: Self.email)
            try await other.finishReset(link: street.link(.passwordReset), newPassword: Self.other)
            #expect(await code { _ = try await client.reloadAccount() } == .sessionEnded)
            #expect(try await other.signIn(email: Self.email, password: Self.other).id == account.id)
            #expect(
                await code { try await client.signIn(email: Self.email, password: Self.password) }
                    == .refused(.wrongCredentials))
        }
    }

    @Test("changes the password, and other sessions end if they are to", arguments: [true, false])
    func change(endsOthers: Bool) async throws {
        try await run { street in
            let client = street.system.client()
            _ = try await street.signUp(client)
            let other = street.system.client(storage: MemoryStorage())
            try await other.signIn(email: Self.email, password: Self.password)
            try await client.savePassword(SavedPassword(email: Self.email, password: Self.password))
            #expect(
                await code { try await client.changePassword(from: Self.other, to: "fifteen letters or more") }
                    == .refused(.wrongCredentials))
            try await client.changePassword(
                from: Self.password, to: Self.other, endingOtherSessions: endsOthers)
            #expect(try await client.savedPassword()?.password == Self.other)
            _ = try await client.reloadAccount()
            #expect(await code { _ = try await other.reloadAccount() } == (endsOthers ? .sessionEnded : nil))
        }
    }

    @Test("changes the password once, if the answer to it is lost")
    func lostChange() async throws {
        try await run { street in
            let client = street.system.client()
            _ = try await street.signUp(client)
            street.system.network.loseNextAnswer(from: "/v1/password")
            try await client.changePassword(from: Self.password, to: Self.other)
            try await client.signIn(email: Self.email, password: Self.other)
        }
    }

    @Test("deletes the account after the password was typed once more")
    func deletion() async throws {
        try await run { street in
            let client = street.system.client()
            _ = try await street.signUp(client)
            street.system.system.clock.advance(by: .seconds(600))
            #expect(await code { try await client.deleteAccount() } == .refused(.requiresRecentLogin))
            try await client.reauthenticate(password: Self.password)
            // Apple has no part in it.
            let deletion = try await client.deleteAccount()
            #expect(!deletion.hasApple && deletion.isOver)
            #expect(await client.account == nil)
            #expect(
                await code { try await client.signIn(email: Self.email, password: Self.password) }
                    == .refused(.wrongCredentials))
        }
    }

    @Test(
        "upgrades to Apple: same account, no password, and sessions elsewhere end if they are to",
        arguments: [true, false])
    func upgrade(endsOthers: Bool) async throws {
        try await run(.sockets) { street in
            let client = street.system.client()
            let before = try await street.signUp(client)
            let other = street.system.client(storage: MemoryStorage())
            try await other.signIn(email: Self.email, password: Self.password)
            try await client.savePassword(SavedPassword(email: Self.email, password: Self.password))
            street.system.system.clock.advance(by: .seconds(600))

            let account = try await client.upgradeToApple(
                password: Self.password, endingOtherSessions: endsOthers)
            #expect(account.id == before.id && account.user != nil)
            #expect(account.waysIn?.apple == true && account.waysIn?.email == nil)
            #expect(account.contactEmail == Self.email)
            #expect(try await client.savedPassword() == nil)
            #expect(try await client.credentialState() == .authorized)
            #expect(await code { _ = try await other.reloadAccount() } == (endsOthers ? .sessionEnded : nil))
            #expect(
                await code { try await other.signIn(email: Self.email, password: Self.password) }
                    == .refused(.wrongCredentials))
            // Apple alone signs in from now on, and it is the same account with the same identifier of Apple's.
            let apple = try await street.system.client(storage: MemoryStorage()).signIn()
            #expect(apple.id == before.id && apple.user == account.user)
        }
    }

    @Test("after an upgrade elsewhere knows the state of the credential, and deletes the account by Apple")
    func upgradeElsewhere() async throws {
        try await run(.sockets) { street in
            let client = street.system.client()
            _ = try await street.signUp(client)
            let other = street.system.client(storage: MemoryStorage())
            try await other.signIn(email: Self.email, password: Self.password)
            try await client.upgradeToApple(password: Self.password)
            #expect(try await other.credentialState() == .authorized)
            street.system.system.clock.advance(by: .seconds(301))
            #expect(try await other.deleteAccount().hasApple)
            #expect(await other.account == nil)
            #expect(await code { _ = try await client.reloadAccount() } == .sessionEnded)
        }
    }

    @Test("has Apple's name after the upgrade of an account without one")
    func upgradeName() async throws {
        try await run(.sockets) { street in
            let client = street.system.client()
            try await client.requestSignInLink(email: Self.email)
            let before = try await client.finishSignIn(link: street.link(.signInLink), email: Self.email)
            #expect(before.name == nil)
            street.system.browser.change { $0.name = ("Jane", "Doe") }
            let account = try await client.upgradeToApple(password: nil)
            #expect(account.id == before.id && account.name?.givenName == "Jane")
        }
    }

    @Test("is told that a reset whose answer was lost has most likely worked, and it has")
    func lostReset() async throws {
        try await run { street in
            let client = street.system.client()
            let account = try await street.signUp(client)
            try await client.resetPassword(email: Self.email)
            let link = try await street.link(.passwordReset)
            street.system.network.loseNextAnswer(from: "/v1/password/reset")
            let error = await #expect(throws: AccountClientError.self) {
                try await client.finishReset(link: link, newPassword: Self.other)
            }
            #expect(error?.code == .refused(.linkUnknown) && error?.hint?.contains("worked") == true)
            #expect(try await client.signIn(email: Self.email, password: Self.other).id == account.id)
        }
    }

    @Test("asks a person who hides their address at Apple for consent, who may decline", arguments: [true, false])
    func consent(agrees: Bool) async throws {
        try await run(.sockets) { street in
            street.system.browser.change { $0.hidesEmail = true }
            let client = street.system.client()
            let before = try await street.signUp(client)
            let questions = Lock<[ConsentQuestion]>([])
            let outcome = await code {
                try await client.upgradeToApple(password: Self.password) { question in
                    questions.withLock { $0.append(question) }
                    return agrees
                }
            }
            #expect(outcome == (agrees ? nil : .cancelled))
            #expect(questions.withLock { $0.map(\.purposes) } == [[.contactEmail]])
            let after = try await client.reloadAccount()
            #expect(after.id == before.id && after.waysIn?.apple == agrees)
            #expect(try await client.consents().count == (agrees ? 1 : 0))
        }
    }

    @Test("changes nothing if the Apple Account belongs to another account")
    func takenAppleAccount() async throws {
        try await run(.sockets) { street in
            let taken = try await street.system.client(storage: MemoryStorage()).signIn()
            let client = street.system.client()
            let account = try await street.signUp(client)
            #expect(
                await code { try await client.upgradeToApple(password: Self.password) }
                    == .refused(.credentialAlreadyInUse))
            #expect(try await client.reloadAccount().waysIn?.hasPassword == true)
            #expect(account.id != taken.id)
        }
    }

    @Test("recovers from a lost answer to the upgrade")
    func lostUpgrade() async throws {
        try await run(.sockets) { street in
            let client = street.system.client()
            let before = try await street.signUp(client)
            street.system.network.loseNextAnswer(from: "/v1/account/upgrade")
            let account = try await client.upgradeToApple(password: Self.password)
            #expect(account.id == before.id && account.waysIn?.apple == true)
            #expect(try await client.reloadAccount().id == before.id)
        }
    }

    @Test("gets an error that says so if the service has no passwords")
    func off() async throws {
        try await ClientSystem.run { system in
            let client = system.client()
            let error = await #expect(throws: AccountClientError.self) {
                try await client.signIn(email: Self.email, password: Self.password)
            }
            #expect([.refused(.passwordsOff), .refused(.notFound)].contains(error?.code))
        }
    }
}
