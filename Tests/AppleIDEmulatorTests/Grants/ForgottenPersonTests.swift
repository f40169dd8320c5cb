import AppleIDTypes
import Testing

@testable import AppleIDEmulator

@Suite("A removed person")
struct ForgottenPersonTests {
    /// A table of the state, and whom it knows.
    struct Table: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let people: @Sendable (EmulatorState) -> Set<String>

        init(_ name: String, _ people: @escaping @Sendable (EmulatorState) -> [String]) {
            testDescription = name
            self.people = { Set(people($0)) }
        }
    }

    static let tables = [
        Table("grants") { $0.grants.keys.map(\.person) },
        Table("ended grants") { $0.grants.ended.map(\.person) },
        Table("kept names") { $0.grants.withheldNames.map(\.person) },
        Table("stopped relays") { $0.relay.stopped.map(\.person) },
        Table("relay generations") { Array($0.grants.relayGenerations.keys) },
        Table("relay counts") { $0.relay.counts.keys.map(\.person) },
        Table("inboxes") { $0.inboxes.mails.compactMap(\.person) },
        Table("account sessions") { $0.accountSessions.table.all.map(\.value.person) },
        Table("refresh tokens") { $0.tokens.refreshTokens.all.map(\.value.grant.person) },
        Table("access tokens") { $0.tokens.accessTokens.all.compactMap(\.value.session?.grant.person) },
        Table("codes") { $0.authorizations.codes.all.map(\.value.grant.person) },
        Table("people") { $0.registry.portal.people.map(\.id) },
    ]

    /// Two people, each in every table.
    private func state() throws -> EmulatorState {
        var state = EmulatorState(registry: try Registry(TestPortal.portal))
        for person in ["johnny", "mono"] {
            let key = Grant.Key(person: person, group: "com.example.juice")
            let relay = RelayMailbox(person: person, team: "JUICETEAM1")
            let client: ClientID = "com.example.juice.web"
            state.grants[key] = Grant(key: key, team: "JUICETEAM1", firstAuthorizedAt: 0)
            state.grants.ended.insert(key)
            state.grants.withheldNames.insert(key)
            state.relay.stopped.insert(relay)
            state.grants.relayGenerations[person] = ["JUICETEAM1": 1]
            state.relay.counts[relay] = RelayCount(day: 0, mails: 1)
            let portalPerson = try #require(state.findPerson(person))
            let address = try #require(MailAddress("\(person)@example.com"))
            state.inboxes.file(
                Mail(id: person, person: person, team: nil, sender: nil, recipient: address, receivedAt: 0, content: [])
            )
            state.accountSessions.enterPassword(of: portalPerson, replacing: nil, newID: person, at: 0)
            state.tokens.refreshTokens.insert(
                IssuedRefreshToken(client: client, grant: key, issuedAt: 0), for: person, at: 0)
            let session = IssuedAccessToken.Session(grant: key, refreshToken: person)
            state.tokens.accessTokens.insert(
                IssuedAccessToken(client: client, team: "JUICETEAM1", session: session), for: person, at: 0)
            state.authorizations.codes.insert(
                IssuedCode(
                    client: client, redirectURI: nil, codeChallenge: nil, nonce: nil, grant: key, issuedAt: 0),
                for: person, at: 0)
        }
        return state
    }

    @Test("leaves every table with the deleted account, and others stay", arguments: tables)
    func deleted(table: Table) throws {
        var state = try state()
        #expect(table.people(state).isSuperset(of: ["johnny", "mono"]))
        let johnny = try #require(state.findPerson("johnny"))
        let events = state.deleteAccount(of: johnny)
        #expect(events.map(\.type) == [.accountDeleted])
        #expect(!table.people(state).contains("johnny"))
        #expect(table.people(state).contains("mono"))
    }

    @Test("leaves every table with the portal's entry, and others stay", arguments: tables)
    func removed(table: Table) throws {
        var state = try state()
        var portal = TestPortal.portal
        portal.people.removeAll { $0.id == "johnny" }
        state.replacePortal(with: try Registry(portal))
        #expect(!table.people(state).contains("johnny"))
        #expect(table.people(state).contains("mono"))
    }
}
