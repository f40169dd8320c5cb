import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import Testing

@Suite("A transfer between teams at the emulator")
struct TransferTests {
    private let app: ClientID = "com.example.juice"

    private func apple() async throws -> AppleSide {
        var portal = Portal.seeded()
        portal.teams.append(Portal.Team(id: "CIDERTEAM2", name: "Cider Makers", apps: []))
        return try await AppleSide(portal: portal)
    }

    @Test("leads every person from the sender's subject to the recipient's, with a new relay address")
    func roundTrip() async throws {
        let apple = try await apple()
        let hidden = try await apple.signIn()
        let shown = try await apple.signIn(person: "zoe", hidesEmail: false)
        try await apple.control("/emulator/transfers", ["clientID": app.rawValue, "team": "CIDERTEAM2"])
        let recipient = try apple.client(of: "CIDERTEAM2")

        let outgoing = try await apple.client.migrationToken(client: app)
        let incoming = try await recipient.migrationToken(client: app)
        for (grant, hidesEmail) in [(hidden, true), (shown, false)] {
            let bridge = try await apple.client.transferSubject(
                of: grant.identity.subject, to: "CIDERTEAM2", using: outgoing)
            let person = try await recipient.person(ofTransferSubject: bridge, using: incoming)
            #expect(bridge != grant.identity.subject && person.subject != grant.identity.subject)
            #expect(person.isPrivateEmail == hidesEmail)
            #expect((person.email != nil) == hidesEmail)
            #expect(person.email == nil || person.email != grant.identity.email)
        }

        // A person who signs in meanwhile brings the same value.
        let authorization = try await apple.emulator.authorize(client: app, native: true)
        let grant = try await recipient.exchange(code: try #require(authorization.code), client: app, nonce: .noneSent)
        let bridge = try await apple.client.transferSubject(
            of: hidden.identity.subject, to: "CIDERTEAM2", using: outgoing)
        #expect(grant.identity.claims.transferSubject == bridge)
        let person = try await recipient.person(ofTransferSubject: bridge, using: incoming)
        #expect(grant.identity.subject == person.subject)
    }

    @Test("ends for the receiving team after sixty days, and a stranger is refused")
    func refused() async throws {
        let apple = try await apple()
        let grant = try await apple.signIn()
        try await apple.control("/emulator/transfers", ["clientID": app.rawValue, "team": "CIDERTEAM2"])
        let recipient = try apple.client(of: "CIDERTEAM2")
        let token = try await recipient.migrationToken(client: app)
        let stranger = try await appleFailure {
            _ = try await recipient.person(ofTransferSubject: "000000.0.0000", using: token)
        }
        #expect(stranger?.code == .transferRejected)
        let outgoing = try await apple.client.migrationToken(client: app)
        let bridge = try await apple.client.transferSubject(
            of: grant.identity.subject, to: "CIDERTEAM2", using: outgoing)
        apple.clock.advance(by: .seconds(61 * 86_400))
        let late = try await appleFailure {
            let token = try await recipient.migrationToken(client: app)
            _ = try await recipient.person(ofTransferSubject: bridge, using: token)
        }
        #expect(late?.code == .transferRejected)
    }

    @Test("refuses an invalid migration token, and asks nothing with an expired one")
    func badToken() async throws {
        let apple = try await apple()
        let grant = try await apple.signIn()
        let token = MigrationToken(client: app, accessToken: AccessToken("garbage"), expiresAt: .distantFuture)
        let error = try await appleFailure {
            _ = try await apple.client.transferSubject(of: grant.identity.subject, to: "CIDERTEAM2", using: token)
        }
        #expect(error?.code == .transferRejected, "Apple says invalid_request to both, a bad token and a bad subject")
        let old = try await apple.client.migrationToken(client: app)
        apple.clock.advance(by: .seconds(3_600))
        let asked = apple.transport.count(of: "/auth/usermigrationinfo")
        let expired = try await appleFailure {
            _ = try await apple.client.transferSubject(of: grant.identity.subject, to: "CIDERTEAM2", using: old)
        }
        #expect(expired?.code == .migrationTokenExpired)
        #expect(apple.transport.count(of: "/auth/usermigrationinfo") == asked)
    }
}
