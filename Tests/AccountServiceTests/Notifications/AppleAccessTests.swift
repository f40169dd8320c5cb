import AccountEngines
import AccountService
import AppleIDTypes
import Testing

@Suite("An end of access, and its return", .eachDatabase)
struct AppleAccessTests {
    @Test("A new sign-in grants ended access again, with its token, name and address")
    func grantedAgain() async throws {
        let store = try await Engine.current.store()
        let first = try await store.signIn(
            .sample(name: try .sample(), appleToken: .sample("com.example.juice", [1])))
        _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .hours(1)))
        var record = SignInRecord.sample(
            at: .start + .hours(2), .sample(email: "new@example.com"), name: try .sample("John", "Apple"),
            appleToken: .sample("com.example.juice", [2], at: .start + .hours(2)))
        record.person.organizationID = "org"
        let second = try await store.signIn(record)
        #expect(second.account.id == first.account.id && !second.isNewAccount)
        #expect(second.account.name == record.name)
        #expect(second.account.email == "new@example.com")
        #expect(
            second.account.appleAccess
                == AppleAccess(organizationID: "org", lastAuthorizedAt: .start + .hours(2)))
        #expect(try await store.appleTokens(of: second.session.identityID).map(\.sealed) == [[2]])
        #expect(try await store.session(first.session.id)?.ended?.reason == .appleConsentRevoked)
        #expect(try await store.session(second.session.id)?.account == second.account)
    }

    @Test("A token from before the end of access doesn't sign in and isn't used up by the attempt")
    func olderToken() async throws {
        let store = try await Engine.current.store()
        _ = try await store.signIn(.sample())
        let end = Timestamp.start + .minutes(5)
        _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: end))
        let used = UsedCredential.sample(expiresAt: .start + .days(1))
        var record = SignInRecord.sample(at: .start + .minutes(6), used: [used])
        record.person.authorizedAt = end - .seconds(1)
        await expectError(.tokenTooOld) { _ = try await store.signIn(record) }
        #expect(try await store.firstUsed(among: [used], at: record.at) == nil)
        #expect(try await store.session(record.session.id) == nil)
        // Apple's times are whole seconds: one that was cut off is not held against the person.
        record.person.authorizedAt = end - .milliseconds(900)
        #expect(try await store.signIn(record).account.appleAccess.ended == nil)
    }

    @Test("The latest end counts, in whatever order notifications arrive")
    func lastEnd() async throws {
        let store = try await Engine.current.store()
        for order in [[1, 2], [2, 1]] as [[Int64]] {
            let subject = Subject("person \(order)")
            _ = try await store.signIn(.sample(.sample(subject)))
            for hour in order {
                _ = try await store.applyNotification(
                    .sample(.consentRevoked, subject, happenedAt: .start + .hours(hour)))
            }
            // Granted again at Apple between the two, and ended again before it was seen here.
            var record = SignInRecord.sample(at: .start + .hours(2), .sample(subject))
            record.person.authorizedAt = .start + .minutes(90)
            await expectError(.tokenTooOld) { _ = try await store.signIn(record) }
            record.person.authorizedAt = .start + .hours(2)
            #expect(try await store.signIn(record).account.appleAccess.ended == nil)
        }
    }

    @Test("A code that Apple redeemed after the end proves that access is granted")
    func redeemedAfterEnd() async throws {
        let store = try await Engine.current.store()
        _ = try await store.signIn(.sample())
        _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .minutes(5)))
        var record = SignInRecord.sample(
            at: .start + .minutes(6),
            appleToken: .sample("com.example.juice", [2], at: .start + .minutes(6)))
        record.person.authorizedAt = .start + .minutes(4)
        #expect(try await store.signIn(record).account.appleAccess.ended == nil)
    }

    @Test("A notification from before the first sign-in counts if it is later than the sign-in's token")
    func beforeSignIn() async throws {
        let store = try await Engine.current.store()
        let issued = Timestamp.start
        for (isOn, delay) in [(true, -1), (false, 2), (true, 1)] as [(Bool, Int64)] {
            let receipt = try await store.applyNotification(
                .sample(.emailForwarding(isOn), happenedAt: issued + .seconds(delay)))
            #expect(receipt.outcome == .unknownSubject)
        }
        _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: issued - .seconds(1)))
        var record = SignInRecord.sample(at: issued + .minutes(5))
        record.person.authorizedAt = issued
        let outcome = try await store.signIn(record)
        #expect(outcome.isNewAccount && outcome.account.appleAccess.forwardsEmail == false)
        #expect(try await store.session(outcome.session.id)?.account == outcome.account)
        let later = try await store.applyNotification(
            .sample(.emailForwarding(true), happenedAt: issued + .seconds(1)))
        #expect(later.outcome == .outdated)
    }

    @Test("A token makes no account if the person has left since it was issued, or has deleted the Apple Account")
    func noAccountAfterEnd() async throws {
        let store = try await Engine.current.store()
        for change in [AppleNotification.Change.consentRevoked, .accountDeleted] {
            let subject = Subject("left \(change)")
            _ = try await store.applyNotification(
                .sample(change, subject, happenedAt: .start + .minutes(1)))
            var record = SignInRecord.sample(at: .start + .minutes(5), .sample(subject))
            record.person.authorizedAt = .start
            await expectError(.tokenTooOld) { _ = try await store.signIn(record) }
            record.person.authorizedAt = .start + .minutes(2)
            #expect(try await store.signIn(record).isNewAccount)
        }
    }

    @Test("The state of forwarding belongs to its address and ends when the address changes")
    func forwarding() async throws {
        let store = try await Engine.current.store()
        _ = try await store.signIn(.sample())
        _ = try await store.applyNotification(.sample(.emailForwarding(false), happenedAt: .start + .hours(1)))
        for (email, expected) in [(nil, false), ("johnny@example.com", false), ("other@example.com", nil)] {
            let outcome = try await store.signIn(.sample(at: .start + .hours(2), .sample(email: email)))
            #expect(outcome.account.appleAccess.forwardsEmail == expected)
            #expect(try await store.session(outcome.session.id)?.account == outcome.account)
        }
    }
}
