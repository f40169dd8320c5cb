import AccountDatabase
import AccountEngines
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

extension Portal {
    /// Two teams with one app each, and the same people at both.
    fileprivate static var twoTeams: Portal {
        Portal(
            baseURL: OutboxSystem.emulatorURL, issuer: "https://appleid.apple.com",
            teams: [
                Team(
                    id: "JUICETEAM1", name: "Juice Makers",
                    apps: [App(id: PasswordSystem.juice, name: "Juice", keys: [.generated(id: "JUICEKEY01")])]),
                Team(
                    id: "OTHERTEAM1", name: "Others",
                    apps: [App(id: TwoTeamsTests.other, name: "Other", keys: [.generated(id: "OTHERKEY01")])]),
            ],
            people: [Person(id: "johnny", email: "johnny@example.com", name: "Johnny Appleseed")])
    }
}

@Suite("Apple Accounts of two teams in one account", .eachEngine)
struct TwoTeamsTests {
    fileprivate static let other: ClientID = "com.other.app"

    /// Signs one person in with the first team's app, and links their Apple Account of the other team's.
    private func linked(_ system: PasswordSystem) async throws -> (session: StoredSession, links: [LinkedIdentity]) {
        let session = try await system.session(of: system.signInWithApple())
        system.clock.advance(by: .seconds(1))
        let challenge = try system.domain.challenges.make(for: .link, session: session.session.id)
        let credential = try await system.credential(client: Self.other, nonce: challenge.nonce)
        let links = try await system.links.linkApple(
            in: session, with: credential, consent: nil, from: PasswordSystem.caller)
        return (session, links)
    }

    /// The clients for which Apple is asked to revoke.
    private func revocations(_ system: PasswordSystem) async throws -> [ClientID] {
        try await system.store.read { connection in
            try connection.query("SELECT client_id FROM outbox WHERE kind = 'revocation'", []) { try $0.word() }
        }
    }

    @Test("The person signs in with either team's app")
    func signsIn() async throws {
        let system = try await PasswordSystem(portal: .twoTeams)
        let (session, links) = try await linked(system)
        #expect(links.map(\.team) == ["JUICETEAM1", "OTHERTEAM1"])
        let account = session.account.id
        #expect(try await system.signInWithApple().account.id == account)
        #expect(try await system.signInWithApple(client: Self.other).account.id == account)
        #expect(try await system.accountCount() == 1)
        #expect(try await system.domain.consents.list(of: account).isEmpty)
    }

    @Test("A removed Apple Account is revoked with its own team's app, and its sessions end")
    func unlinked() async throws {
        let system = try await PasswordSystem(portal: .twoTeams)
        let (session, links) = try await linked(system)
        let there = try await system.session(of: system.signInWithApple(client: Self.other))
        let done = try await system.links.remove(links[1].id, in: session, from: .unknown)
        #expect(done.identities.map(\.team) == ["JUICETEAM1"] && !done.needsManualRemoval)
        #expect(try await revocations(system) == [Self.other])
        #expect(try await system.end(of: there) == .unlinked)
        #expect(try await system.end(of: session) == nil)
        #expect(try await system.signInWithApple(client: Self.other).isNewAccount)
        #expect(try await system.signInWithApple().account.id == session.account.id)
    }

    @Test("An Apple Account of a team that is no longer configured doesn't count as a remaining way in")
    func noLongerConfigured() async throws {
        let system = try await PasswordSystem(portal: .twoTeams)
        let (session, links) = try await linked(system)
        let one = try await PasswordSystem(sharing: system, teams: ["JUICETEAM1"])
        await expectError(.lastWayIn) { _ = try await one.links.remove(links[0].id, in: session, from: .unknown) }
        let done = try await one.links.remove(links[1].id, in: session, from: .unknown)
        #expect(done.identities.map(\.team) == ["JUICETEAM1"])
    }

    @Test("A deletion revokes at both teams")
    func deleted() async throws {
        let system = try await PasswordSystem(portal: .twoTeams)
        let (session, _) = try await linked(system)
        _ = try await system.domain.deletions.delete(accountOf: session, from: .unknown)
        #expect(try await Set(revocations(system)) == [PasswordSystem.juice, Self.other])
        #expect(try await system.accountCount() == 0)
    }
}
