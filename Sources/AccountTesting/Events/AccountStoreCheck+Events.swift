import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let events: [Self] = [
        Self("A sign-in and the end of a session are events of the account, in their order") { store async throws in
            let first = try await store.signIn(.sample())
            let second = try await store.signIn(.sample(at: .start + .hours(1)))
            #expect(try await store.endSession(first.session.id, .sample(at: .start + .hours(2), .signedOut)))
            let events = try await store.accountEvents(of: first.account.id, after: 0, limit: 10)
            #expect(events.map(\.kind) == [.signedIn, .signedIn, .sessionEnded])
            #expect(
                events.map(\.about)
                    == [first.session.id.rawValue, second.session.id.rawValue, first.session.id.rawValue])
            #expect(events.map(\.reason) == [nil, nil, SessionEndReason.signedOut.rawValue])
            #expect(events.map(\.at) == [.start, .start + .hours(1), .start + .hours(2)])
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.revision < $1.revision })
        },
        Self("Events are read after a revision, no more than asked for, and of one account alone") {
            store async throws in
            let outcome = try await store.signIn(.sample())
            _ = try await store.signIn(.sample(.sample("someone.else")))
            for hour in 1...4 { _ = try await store.signIn(.sample(at: .start + .hours(Int64(hour)))) }
            let all = try await store.accountEvents(of: outcome.account.id, after: 0, limit: 10)
            #expect(all.count == 5)
            #expect(
                try await store.accountEvents(of: outcome.account.id, after: all[1].revision, limit: 2)
                    == Array(all[2...3]))
            #expect(try await store.accountEvents(of: outcome.account.id, after: all[4].revision, limit: 2) == [])
            #expect(try await store.accountEvents(of: .sample(), after: 0, limit: 2) == [])
        },
        Self("A session that another takes the place of is an event of its own account, whoever signed in") {
            store async throws in
            let browser = TokenHash.sample()
            var first = SignInRecord.NewSession.sample(.browser)
            first.browserHash = browser
            let tab = try await store.signIn(.sample(session: first))
            let former = try await store.signIn(.sample(session: .sample(.browser))).session
            var second = SignInRecord.NewSession.sample(.browser)
            second.browserHash = browser
            let other = try await store.signIn(
                .sample(
                    at: .start + .hours(1), .sample("someone.else"), session: second, formerSession: former.id))
            #expect(other.replaced == [tab.account.id])
            let ends = try await store.accountEvents(of: tab.account.id, after: 0, limit: 10).filter {
                $0.kind == .sessionEnded
            }
            #expect(Set(ends.map(\.about)) == [tab.session.id.rawValue, former.id.rawValue])
            #expect(ends.allSatisfy { $0.reason == "replaced" && $0.at == .start + .hours(1) })

            var again = Reauthentication.sample(of: other.session.id, at: .start + .hours(2))
            again.person.subject = "someone.else"
            again.successor = .sample(.browser)
            _ = try await store.reauthenticate(again)
            let told = try await store.accountEvents(of: other.account.id, after: 0, limit: 10)
            #expect(told.map(\.kind) == [.signedIn, .sessionEnded])
            #expect(told.last?.about == other.session.id.rawValue && told.last?.reason == "replaced")
        },
        Self("What changes nothing is no event") { store async throws in
            let outcome = try await store.signIn(.sample())
            #expect(try await store.endSession(outcome.session.id, .sample(at: .start, .signedOut)))
            #expect(try await store.endSession(outcome.session.id, .sample(at: .start, .signedOut)) == false)
            #expect(try await store.endSession(.sample(), .sample(at: .start, .signedOut)) == false)
            #expect(try await store.accountEvents(of: outcome.account.id, after: 0, limit: 10).count == 2)
        },
        Self("Of events at once each has a number of its own, and none is lost") { store async throws in
            let account = try await store.signIn(.sample()).account.id
            let sessions = try await atOnce(20) { index in
                try await store.signIn(.sample(at: .start + .seconds(Int64(index)))).session.id
            }
            _ = try await atOnce(20) { index in
                try await store.endSession(sessions[index], .sample(at: .start + .hours(1), .signedOut))
            }
            let events = try await store.accountEvents(of: account, after: 0, limit: 100)
            #expect(events.count == 41)
            #expect(Set(events.map(\.revision)).count == 41)
            #expect(Set(events.filter { $0.kind == .sessionEnded }.map(\.about)) == Set(sessions.map(\.rawValue)))
        },
        Self("A sweep takes events that are a month old, and no others") { store async throws in
            let account = try await store.signIn(.sample()).account.id
            _ = try await store.signIn(.sample(at: .start + .days(1)))
            let moment = Timestamp.start + AccountEvent.lifetime
            try await store.walk(through: .events, endedBy: moment)
            #expect(
                try await store.accountEvents(of: account, after: 0, limit: 10).map(\.at) == [.start + .days(1)])
        },
    ]
}
