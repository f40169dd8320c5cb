import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The rules of a merge")
struct MergeRulesTests {
    private static func identity(_ id: String, _ provider: String, hidden: Bool = false) -> LinkedIdentity {
        LinkedIdentity(
            id: IdentityID(rawValue: id), provider: provider, team: nil, address: "\(id)@example.com",
            isPrivateEmail: hidden, hasPassword: false, addedAt: Timestamp(microseconds: 0),
            lastSignInAt: Timestamp(microseconds: 0))
    }

    private static func facts(
        _ id: String, _ identities: [LinkedIdentity], name: String? = nil, contact: ContactFacts = ContactFacts()
    ) -> MergeFacts {
        MergeFacts(
            id: AccountID(rawValue: id), identities: identities, name: PersonName(givenName: name),
            nameTypedAt: nil, contact: contact, isDisabled: false, sessions: 0, consents: 0, agreed: [])
    }

    private static func plan(_ from: MergeFacts, _ into: MergeFacts) -> MergePlan {
        MergeRules.plan(from: from, into: into, currentText: "1", expiresAt: Timestamp(microseconds: 1))
    }

    private let apple = Self.facts("acc_1", [Self.identity("idn_1", "apple")])
    private let email = Self.facts("acc_2", [Self.identity("idn_2", "email")])
    private let hidden = Self.facts("acc_3", [Self.identity("idn_3", "apple", hidden: true)])

    @Test("Identities move, but an account has one e-mail address to sign in with")
    func identities() {
        #expect(Self.plan(apple, email).moves.identities.map(\.id.rawValue) == ["idn_1"])
        #expect(Self.plan(email, apple).moves.identities.map(\.id.rawValue) == ["idn_2"])
        #expect(Self.plan(apple, hidden).losses.identities == [])
        let other = Self.facts("acc_4", [Self.identity("idn_4", "email"), Self.identity("idn_5", "google")])
        let plan = Self.plan(other, email)
        #expect(plan.losses.identities.map(\.id.rawValue) == ["idn_4"])
        #expect(plan.moves.identities.map(\.id.rawValue) == ["idn_5"])
    }

    @Test("The remaining account keeps its parts and gets missing ones, and equal parts are not listed")
    func profile() {
        let contact = ContactFacts(email: "a@example.com", pendingEmail: "b@example.com", phone: "+491")
        let from = Self.facts("acc_1", [], name: "Ann", contact: contact)
        #expect(Self.plan(from, email).moves.profile == [.name, .contactEmail, .phone])
        #expect(Self.plan(from, email).losses.profile == [.pendingContactEmail])
        let other = ContactFacts(email: "c@example.com", phone: "+492")
        let into = Self.facts("acc_2", [], name: "Bea", contact: other)
        #expect(Self.plan(from, into).moves.profile == [])
        #expect(Self.plan(from, into).losses.profile == [.name, .contactEmail, .pendingContactEmail, .phone])
        var alike = from
        alike.id = AccountID(rawValue: "acc_5")
        alike.contact.pendingEmail = nil
        #expect(Self.plan(alike, from).moves.profile == [] && Self.plan(alike, from).losses.profile == [])
    }

    @Test("The link that takes a contact address back moves if the account has no other address, and is lost otherwise")
    func contactChange() {
        var from = Self.facts("acc_1", [], contact: ContactFacts(email: "a@example.com"))
        from.hasContactChange = true
        #expect(Self.plan(from, email).moves.profile == [.contactEmail, .contactEmailChange])
        var into = email
        into.hasContactChange = true
        #expect(Self.plan(from, into).losses.profile == [.contactEmailChange])
        into.hasContactChange = false
        into.contact.email = "b@example.com"
        #expect(Self.plan(from, into).losses.profile == [.contactEmail, .contactEmailChange])
        #expect(Self.plan(from, email).confirmation != Self.plan(email, from).confirmation)
    }

    @Test("A name that the person removed doesn't come back")
    func removedName() {
        var into = email
        into.nameTypedAt = Timestamp(microseconds: 5)
        let from = Self.facts("acc_1", [], name: "Ann")
        #expect(Self.plan(from, into).moves.profile == [] && Self.plan(from, into).losses.profile == [.name])
    }

    @Test("A hidden address needs consent beside data that identify the person, in both directions")
    func consent() {
        #expect(Self.plan(apple, email).consent == nil)
        #expect(Self.plan(hidden, hidden).consent == nil)
        for (from, into) in [(hidden, email), (email, hidden), (hidden, apple), (apple, hidden)] {
            let plan = Self.plan(from, into)
            #expect(plan.consent?.purposes == [.linkedIdentity])
            #expect(plan.joining == plan.moves.identities.map(\.id) && plan.joining.count == 1)
        }
        var known = hidden
        known.contact.phone = "+491"
        #expect(Self.plan(known, hidden).consent?.purposes == [.phone])
        #expect(Self.plan(hidden, known).consent?.purposes == [.phone])
        known.agreed = [.phone]
        #expect(Self.plan(known, hidden).consent == nil && Self.plan(hidden, known).consent == nil)
        #expect(Self.plan(email, known).consent?.purposes == [.linkedIdentity])
        var reachable = email
        reachable.contact.email = "a@example.com"
        #expect(Self.plan(hidden, reachable).consent?.purposes == [.linkedIdentity, .contactEmail])
        #expect(Self.plan(reachable, hidden).consent?.purposes == [.linkedIdentity, .contactEmail])
        #expect(Self.plan(apple, reachable).consent == nil && Self.plan(reachable, apple).consent == nil)
    }

    @Test("An account that learns more about its person needs consent, and one that learns nothing needs none")
    func knownBefore() {
        // The person has agreed to a former text, and nothing new comes together.
        var into = Self.facts("acc_6", [Self.identity("idn_6", "apple", hidden: true)])
        into.contact.email = "a@example.com"
        let nameless = Self.facts("acc_7", [])
        #expect(Self.plan(nameless, into).consent == nil)
        // A consent to another link is not a consent to this one.
        var agreed = email
        agreed.agreed = [.linkedIdentity]
        #expect(Self.plan(hidden, agreed).consent?.purposes == [.linkedIdentity])
    }

    @Test("The consent to a merge replaces the consents by which its identities had joined")
    func replacedConsents() {
        let told = Self.identity("idn_7", "email")
        let shy = Self.identity("idn_8", "apple", hidden: true)
        let consent = ConsentID(rawValue: "cns_1")
        var both = Self.facts("acc_8", [shy, told])
        both.consents = 2
        both.linkConsents = [told.id: consent]
        let intoHidden = Self.plan(both, hidden)
        #expect(intoHidden.joining == [told.id] && intoHidden.replacedConsents == [consent])
        #expect(intoHidden.lostConsents == [])
        #expect(intoHidden.moves.consents == 1)
        // The hidden one joins, and the other one stays with its consent.
        let intoTold = Self.plan(both, apple)
        #expect(intoTold.joining == [shy.id] && intoTold.replacedConsents == [] && intoTold.moves.consents == 2)
        // The address is lost, and nothing is left of its consent.
        #expect(Self.plan(both, email).losses.identities.map(\.id) == [told.id])
        #expect(Self.plan(both, email).joining == [shy.id] && Self.plan(both, email).replacedConsents == [])
        #expect(Self.plan(both, email).lostConsents == [consent] && Self.plan(both, email).moves.consents == 1)
        // A transfer has made one consent that of two identities, of which one joins.
        both.linkConsents[shy.id] = consent
        #expect(Self.plan(both, hidden).replacedConsents == [])
        // The remaining account has both kinds, so each identity joins beside another kind.
        let mixed = Self.facts(
            "acc_9", [Self.identity("idn_9", "apple"), Self.identity("idn_0", "apple", hidden: true)])
        #expect(Self.plan(both, mixed).joining == [shy.id, told.id])
        #expect(Self.plan(both, mixed).replacedConsents == [consent])
    }

    @Test("A different plan has a different confirmation, and sessions don't change it")
    func confirmation() {
        var other = apple
        other.sessions = 7
        #expect(Self.plan(other, email).confirmation == Self.plan(apple, email).confirmation)
        other.identities.append(Self.identity("idn_6", "apple"))
        #expect(Self.plan(other, email).confirmation != Self.plan(apple, email).confirmation)
        #expect(Self.plan(apple, email).confirmation != Self.plan(email, apple).confirmation)
        let text = Self.plan(apple, email).confirmation.rawValue
        #expect(MergeConfirmation(rawValue: text)?.rawValue == text)
        #expect(MergeConfirmation(rawValue: "no") == nil && MergeConfirmation(rawValue: text + "a") == nil)
    }
}
