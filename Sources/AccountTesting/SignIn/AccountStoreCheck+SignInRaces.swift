import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let signInRaces: [Self] = [
        Self("Of fifty sign-ins with one identity token, one succeeds") { store async throws in
            let spent = Spent.sample()
            let outcomes = try await atOnce(50) { index in
                try await signIn(.sample(.sample(Subject("person.\(index % 2)")), spent: [spent]), in: store)
            }
            #expect(outcomes.compactMap(\.self).count == 1)
        },
        Self("Fifty first sign-ins of one person at once make one account with one identity") { store async throws in
            let outcomes = try await atOnce(50) { _ in try await store.signIn(.sample()) }
            #expect(outcomes.count { $0.isNewAccount } == 1)
            #expect(Set(outcomes.map(\.account.id)).count == 1)
            #expect(Set(outcomes.map(\.session.identityID)).count == 1)
            for outcome in outcomes {
                let stored = try await store.session(outcome.session.id)
                #expect(stored?.session == outcome.session)
                #expect(stored?.account.id == outcome.account.id)
            }
        },
        Self("Fifty people at once get an account each") { store async throws in
            let outcomes = try await atOnce(50) { index in
                try await store.signIn(.sample(.sample(Subject("person.\(index)"))))
            }
            #expect(outcomes.allSatisfy { $0.isNewAccount })
            #expect(Set(outcomes.map(\.account.id)).count == 50)
        },
        Self("Of fifty sign-ins, one gets the kept name and all show it afterwards") { store async throws in
            try await store.keepName(.sample())
            let outcomes = try await atOnce(50) { _ in try await store.signIn(.sample()) }
            for outcome in outcomes {
                #expect(try await store.session(outcome.session.id)?.account.name?.givenName == "Kept")
            }
        },
    ]

    /// Nil when something of the record was used before.
    private static func signIn(_ record: SignInRecord, in store: any AccountStore) async throws -> SignInOutcome? {
        do {
            return try await store.signIn(record)
        } catch let error as AccountError where error.code == .alreadyUsed {
            return nil
        }
    }
}
