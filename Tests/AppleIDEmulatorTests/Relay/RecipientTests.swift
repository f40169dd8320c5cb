import AppleIDTypes
import Testing

@testable import AppleIDEmulator

@Suite("Recipients of mail")
struct RecipientTests {

    /// One that hides the address from an app.
    private func hiding(_ group: ClientID, team: TeamID = "JUICETEAM1") -> Grant {
        var grant = Grant(key: Grant.Key(person: "johnny", group: group), team: team, firstAuthorizedAt: 0)
        var consent = Consent(proposedFor: TestPortal.portal.people[0])
        consent.hidesEmail = true
        grant.add([.email], consent)
        return grant
    }

    @Test("a relay address works as long as one app of the team has it, and belongs to the team that has the app now")
    func relays() {
        var table = GrantTable()
        func name(_ team: TeamID, _ generation: Int = 0) -> String {
            PairwiseIdentity.relayName(of: RelayMailbox(person: "johnny", team: team), generation: generation)
        }
        let (juice, soda) = (hiding("com.example.juice"), hiding("com.example.soda"))
        #expect(table.relay(named: name("JUICETEAM1")) == nil)
        table[juice.key] = juice
        table[juice.key] = juice
        table[soda.key] = soda
        #expect(table.relay(named: name("JUICETEAM1")) == RelayMailbox(juice))
        #expect(table.remove(juice.key) == juice)
        #expect(table.remove(juice.key) == nil)
        #expect(table.relay(named: name("JUICETEAM1")) == RelayMailbox(soda))
        table[soda.key]?.assign(to: "CIDERTEAM2")
        #expect(table.relay(named: name("JUICETEAM1")) == nil)
        #expect(table.relay(named: name("CIDERTEAM2")) == RelayMailbox(person: "johnny", team: "CIDERTEAM2"))
        table[soda.key] = nil
        #expect(!table.isInUse(RelayMailbox(person: "johnny", team: "CIDERTEAM2")))
        table.relayGenerations = ["johnny": ["JUICETEAM1": 1]]
        table[juice.key] = juice
        #expect(table.relay(named: name("JUICETEAM1")) == nil)
        #expect(table.relay(named: name("JUICETEAM1", 1)) == RelayMailbox(juice))
    }

    @Test("an address of two people is the first one's, and the other's once the first is gone")
    func owners() throws {
        var portal = TestPortal.portal
        portal.people[1].otherEmails = ["Johnny@Example.com", "second@example.com"]
        var registry = try Registry(portal)
        let address = try #require(MailAddress("JOHNNY@example.COM"))
        #expect(registry.owner(of: address) == "johnny")
        #expect(registry.owner(of: try #require(MailAddress("second@example.com"))) == "mono")
        registry.remove(portal.people[0])
        #expect(registry.owner(of: address) == "mono")
        #expect(registry.owner(of: try #require(MailAddress("nobody@example.com"))) == nil)
    }

    @Test("an inbox keeps its newest mails, however many others get")
    func inboxes() throws {
        let address = try #require(MailAddress("a@example.com"))
        var inboxes = Inboxes()
        func mail(_ id: Int, _ person: String) -> Mail {
            Mail(
                id: "\(person)-\(id)", person: person, team: nil, sender: nil, recipient: address, receivedAt: 0,
                content: [0])
        }
        for id in 0..<Inboxes.maximumPerPerson + 2 { for person in ["a", "b"] { inboxes.file(mail(id, person)) } }
        #expect(inboxes.mails(of: "a").count == Inboxes.maximumPerPerson)
        #expect(inboxes.mails(of: "a").last?.id == "a-2")
        inboxes.remove(id: "a-2")
        inboxes.file(mail(1_000, "a"))
        #expect(inboxes.mails(of: "a").last?.id == "a-3", "there was room for one")
        inboxes.removeAll(of: "a")
        inboxes.file(mail(0, "a"))
        #expect(inboxes.mails(of: "a").map(\.id) == ["a-0"])
        #expect(inboxes.mails(of: "b").count == Inboxes.maximumPerPerson)
    }
}
