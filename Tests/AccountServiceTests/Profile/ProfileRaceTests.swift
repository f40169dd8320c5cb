import AccountEngines
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("Changes of one profile at once", .eachDatabase)
struct ProfileRaceTests {
    @Test("Twenty updates leave one of the names whole, and an event each")
    func updates() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        _ = try await atOnce(20) { index in
            let name = try PersonName.sample("Given \(index)", "Family \(index)")
            return try await system.update(
                ProfileUpdate(name: .set(name), phone: .set(PhoneNumber("+491511234567\(index)"))), in: session)
        }
        let account = try #require(try await system.account(of: session))
        let number = try #require(account.name?.givenName?.split(separator: " ").last)
        #expect(account.name?.familyName == "Family \(number)" && account.phone == "+491511234567\(number)")
        #expect(try await system.events(of: session).count == 40)
    }

    @Test("A link that is opened ten times at once confirms once")
    func confirmations() async throws {
        let system = try await ProfileSystem()
        let session = try await system.signIn()
        let link = try await system.request("zoe@example.org", in: session)
        let confirmed = try await atOnce(10) { _ in
            try await succeeds(unless: .linkUnknown) {
                _ = try await system.profiles.confirmContact(link, in: session, from: .unknown)
            }
        }
        #expect(confirmed.count { $0 } == 1)
        #expect(try await system.mails(.addressChanged).count == 1)
    }

    @Test("If a change is confirmed while an earlier one is taken back, either both count or the link is used up")
    func confirmAndTakeBack() async throws {
        let system = try await ProfileSystem()
        for index in 0..<20 {
            let session = try await system.signIn(Subject("person \(index)"), email: "person\(index)@example.com")
            try await system.confirm("zoe\(index)@example.org", in: session)
            let first = try await system.linkSecret(of: .addressChanged, to: "person\(index)@example.com")
            system.clock.advance(.seconds(1))
            let link = try await system.request("new\(index)@example.org", in: session)
            async let takenBack: Void = { _ = try await system.profiles.takeBack(first, from: .unknown) }()
            let isConfirmed = try await succeeds(unless: .linkUnknown, .sessionEnded) {
                _ = try await system.profiles.confirmContact(link, in: session, from: .unknown)
            }
            try await takenBack
            let account = try #require(try await system.account(of: session))
            #expect(account.contactEmail == nil && account.pendingContactEmail == nil, "confirmed: \(isConfirmed)")
            let changes = try await system.store.exportAccount(account.id)?.contactChanges
            #expect(changes?.isEmpty == true)
        }
    }

    @Test("If a consent is withdrawn during an update, no number stays without a consent")
    func withdrawal() async throws {
        let system = try await ProfileSystem()
        for index in 0..<20 {
            let session = try await system.signIn(Subject("person \(index)"), isHidden: true)
            let given = ProfileUpdate(
                phone: .set(try PhoneNumber("+4915112345678")), consent: ConsentGiven(textVersion: "1"))
            try await system.update(given, in: session)
            let consent = try #require(try await system.consents.list(of: session.account.id).first)
            let other = ProfileUpdate(phone: .set(try PhoneNumber("+4915187654321")))
            async let withdrawn = system.consents.withdraw(consent.id, in: session, from: .unknown)
            let isChanged = try await succeeds(unless: .consentRequired) { try await system.update(other, in: session) }
            _ = try await withdrawn
            #expect(try await system.account(of: session)?.phone == nil, "changed: \(isChanged)")
        }
    }

    @Test("If an account is deleted during an update, nothing of it stays")
    func deletion() async throws {
        let system = try await ProfileSystem()
        for index in 0..<20 {
            let session = try await system.signIn(Subject("person \(index)"), isHidden: true)
            let update = ProfileUpdate(
                phone: .set(try PhoneNumber("+4915112345678")), consent: ConsentGiven(textVersion: "1"))
            async let deleted = system.store.deleteAccount(.sample(in: session.session.id, at: system.now))
            _ = try await succeeds(unless: .sessionEnded) { try await system.update(update, in: session) }
            _ = try await deleted
            #expect(try await system.consents.list(of: session.account.id).isEmpty)
            #expect(try await system.store.account(session.account.id) == nil)
        }
    }

    private func succeeds(
        unless codes: AccountError.Code..., work: @Sendable () async throws -> Void
    ) async throws -> Bool {
        do {
            try await work()
            return true
        } catch let error as AccountError where codes.contains(error.code) {
            return false
        }
    }
}
