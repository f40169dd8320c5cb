import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let appleAccess: [Self] = [
        Self("Access that ended is granted again by a new sign-in, with its token, name and address") {
            store async throws in
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
        },
        Self("A token of before the end of access does not sign in, and is not used up by the attempt") {
            store async throws in
            _ = try await store.signIn(.sample())
            let end = Timestamp.start + .minutes(5)
            _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: end))
            let spent = Spent.sample(expiresAt: .start + .days(1))
            var record = SignInRecord.sample(at: .start + .minutes(6), spent: [spent])
            record.person.authorizedAt = end - .seconds(1)
            await expectError(.tokenTooOld) { _ = try await store.signIn(record) }
            #expect(try await store.firstUsed(among: [spent], at: record.at) == nil)
            #expect(try await store.session(record.session.id) == nil)
            // Apple's times are whole seconds: one that was cut off is not held against the person.
            record.person.authorizedAt = end - .milliseconds(900)
            #expect(try await store.signIn(record).account.appleAccess.ended == nil)
        },
        Self("The last of two ends counts, in whichever order they come") { store async throws in
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
        },
        Self("A code that Apple redeemed after the end proves that access is granted") { store async throws in
            _ = try await store.signIn(.sample())
            _ = try await store.applyNotification(.sample(.consentRevoked, happenedAt: .start + .minutes(5)))
            var record = SignInRecord.sample(
                at: .start + .minutes(6),
                appleToken: .sample("com.example.juice", [2], at: .start + .minutes(6)))
            record.person.authorizedAt = .start + .minutes(4)
            #expect(try await store.signIn(record).account.appleAccess.ended == nil)
        },
        Self("What Apple said of a person before they were known here counts from the time of their token on") {
            store async throws in
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
        },
        Self("A token does not make an account of somebody who has left since it was issued, nor of a deleted one") {
            store async throws in
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
        },
        Self("What is known of forwarding stays with its address, and goes with another one") { store async throws in
            _ = try await store.signIn(.sample())
            _ = try await store.applyNotification(.sample(.emailForwarding(false), happenedAt: .start + .hours(1)))
            for (email, expected) in [(nil, false), ("johnny@example.com", false), ("other@example.com", nil)] {
                let outcome = try await store.signIn(.sample(at: .start + .hours(2), .sample(email: email)))
                #expect(outcome.account.appleAccess.forwardsEmail == expected)
                #expect(try await store.session(outcome.session.id)?.account == outcome.account)
            }
        },
    ]
}

extension AppleNotification {
    /// About `001999.person`; no other sample has its identifier.
    static func sample(
        _ change: Change, id: String? = nil, _ subject: Subject = "001999.person", team: TeamID = "TEAM000001",
        happenedAt: Timestamp, receivedAt: Timestamp? = nil
    ) -> Self {
        let type: EventType =
            switch change {
            case .consentRevoked: .consentRevoked
            case .accountDeleted: .accountDeleted
            case .emailForwarding(true): .emailEnabled
            case .emailForwarding(false): .emailDisabled
            case .other: EventType("orchard-planted")
            }
        return Self(
            id: id ?? SessionID.sample().rawValue, type: type, change: change, team: team,
            audience: "com.example.juice", subject: subject, happenedAt: happenedAt,
            receivedAt: receivedAt ?? happenedAt + .seconds(1))
    }
}
