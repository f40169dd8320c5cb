import AccountAPI
import AccountClient
import AccountService
import AppleIDTesting
import Foundation
import OpenAuthenticationServices
import Testing

@Suite("A client that reauthenticates, revokes and deletes", .eachEngine, .timeLimit(.minutes(2)))
struct ClientLifecycleTests {
    @Test(
        "deleting asks the person again when the sign-in is old, ends every session, and Apple is told",
        arguments: ClientSystem.Way.allCases)
    func delete(_ way: ClientSystem.Way) async throws {
        try await ClientSystem.run(way) { street in
            let client = street.client()
            let other = street.client(storage: MemoryStorage())
            let account = try await client.signIn()
            _ = try await other.signIn()
            street.system.clock.advance(by: .seconds(301))

            let refusal = await #expect(throws: AccountClientError.self) {
                try await client.deleteAccount(promptingIfNeeded: false)
            }
            #expect(refusal?.code == .refused(.requiresRecentLogin))
            let deletion = try await client.deleteAccount()
            #expect(street.browser.pages.count == 3)
            #expect(deletion.status == .waiting)
            #expect(deletion.manualRemoval == nil)
            #expect(await client.account == nil)
            let ended = await #expect(throws: AccountClientError.self) { try await other.reloadAccount() }
            #expect(ended?.code == .sessionEnded)

            try await street.system.domain.outbox.drain()
            #expect(try await client.deletion(deletion.handle).status == .done)
            #expect(try await street.system.emulator.authorize(client: TestSystem.juiceWeb).user != nil)
            #expect(try await client.signIn().id != account.id)
        }
    }

    @Test("a person who cancels, or signs in as another person, deletes nothing", arguments: [true, false])
    func deleteNothing(cancels: Bool) async throws {
        try await ClientSystem.run { street in
            let client = street.client()
            let account = try await client.signIn()
            street.system.clock.advance(by: .seconds(301))
            street.browser.change { $0.person = "zoe" }
            street.browser.change { $0.cancelsAtApple = cancels }
            let error = await #expect(throws: AccountClientError.self) { try await client.deleteAccount() }
            #expect(error?.code == (cancels ? .cancelled : .refused(.credentialMismatch)))
            #expect(try await client.reloadAccount().id == account.id)
        }
    }

    @Test("a reauthentication lets the next five minutes be, in the same session")
    func reauthenticate() async throws {
        try await ClientSystem.run { street in
            let storage = MemoryStorage()
            let client = street.client(storage: storage)
            _ = try await client.signIn()
            street.system.clock.advance(by: .seconds(301))
            let date = try await client.reauthenticate()
            #expect(date == street.system.clock.now)
            #expect(try await client.sessions().count == 1)
            #expect(try await client.revokeToken(promptingIfNeeded: false) == nil)
            // Nothing is held any more, and Apple is being asked already.
            #expect(try await client.revokeToken() == nil)
            try await street.system.domain.outbox.drain()
            #expect(street.system.apple.count(of: "/auth/revoke") >= 1)
            // The person has left at Apple, and not here.
            #expect(try await client.credentialState() == .revoked)
            #expect(try await client.reloadAccount().isConfirmed)
            _ = try await client.signIn()
            #expect(try await client.credentialState() == .authorized)
        }
    }

    @Test("the code of an own controller's credential revokes without another proof")
    func revokeByCode() async throws {
        try await ClientSystem.run { street in
            let client = street.client()
            _ = try await client.signIn()
            street.system.clock.advance(by: .seconds(301))
            let outcome = await Outcome.perform(in: street.configuration())
            let code = try #require(outcome.credential?.authorizationCode)
            #expect(
                try await client.revokeToken(withAuthorizationCode: String(decoding: code, as: UTF8.self)) == nil)
            try await street.system.domain.outbox.drain()
            #expect(try await street.system.emulator.authorize(client: TestSystem.juiceWeb).user != nil)
        }
    }

    @Test("the export is a document about the person, without a secret")
    func export() async throws {
        try await ClientSystem.run(.sockets) { street in
            let client = street.client()
            let account = try await client.signIn()
            let data = try await client.exportAccount()
            let export = try JSONDecoder().decode(AccountExportAnswer.self, from: data)
            #expect(export.accountID == account.id)
            #expect(export.identities.map(\.subject) == [account.user])
            #expect(!String(decoding: data, as: UTF8.self).contains("eyJ"))
        }
    }

    @Test("sessions have their devices' names, and are ended one by one or all at once")
    func sessions() async throws {
        try await ClientSystem.run { street in
            let laptop = street.client(deviceName: "Laptop")
            let phone = street.client(storage: MemoryStorage(), deviceName: "Phone")
            let desk = street.client(storage: MemoryStorage(), deviceName: "Desk")
            for client in [laptop, phone, desk] {
                _ = try await client.signIn()
                street.system.clock.advance(by: .seconds(1))
            }
            let sessions = try await laptop.sessions()
            #expect(sessions.map(\.deviceName) == ["Desk", "Phone", "Laptop"])
            #expect(sessions.map(\.isCurrent) == [false, false, true])

            try await laptop.endSession(sessions[1])
            await #expect(throws: AccountClientError.self) { try await phone.reloadAccount() }
            try await laptop.endOtherSessions()
            await #expect(throws: AccountClientError.self) { try await desk.reloadAccount() }
            #expect(try await laptop.sessions().count == 1)
            try await laptop.endAllSessions()
            #expect(await laptop.account == nil)
        }
    }
}
