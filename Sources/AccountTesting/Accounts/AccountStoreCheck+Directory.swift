import AccountService
import AppleIDTypes
import Testing

extension AccountStoreCheck {
    static let directory: [Self] = [
        Self("Accounts are read oldest first, in pages, with their identities") { store async throws in
            var ids: [AccountID] = []
            for index in 0..<3 {
                let record = SignInRecord.sample(
                    at: .start + .seconds(Int64(index)), .sample(Subject("person.\(index)")), name: try .sample())
                ids.append(try await store.signIn(record).account.id)
            }
            _ = try await store.signIn(.sample(at: .start + .hours(1), .sample("person.1")))
            #expect(try await store.accountCount() == 3)
            let first = try await store.accounts(after: nil, limit: 2)
            #expect(first.map(\.id) == [ids[0], ids[1]])
            #expect(first.map { $0.identities.map(\.subject.rawValue) } == [["person.0"], ["person.1"]])
            let second = try #require(first.last)
            #expect(second.name == (try .sample()) && second.disabledAt == nil)
            let identity = try #require(second.identities.first)
            #expect(identity.provider == "apple" && identity.team == "TEAM000001")
            #expect(identity.email == "johnny@example.com" && identity.emailVerified && !identity.isPrivateEmail)
            #expect(identity.createdAt == .start + .seconds(1) && identity.lastSignInAt == .start + .hours(1))
            #expect(try await store.accounts(after: ids[1], limit: 9).map(\.id) == [ids[2]])
            #expect(try await store.account(ids[1]) == second)
            #expect(try await store.account(.sample()) == nil)
        },
        Self("A `sub` is found in every team, exactly") { store async throws in
            let one = try await store.signIn(.sample(.sample("001.a"))).account.id
            let other = try await store.signIn(.sample(.sample("001.a", team: "TEAM000002"))).account.id
            _ = try await store.signIn(.sample(.sample("001.A")))
            #expect(try await Set(store.accounts(ofSubject: "001.a").map(\.id)) == [one, other])
            #expect(try await store.accounts(ofSubject: "001").isEmpty)
        },
        Self("A disabled account takes no sign-in, of which nothing is written, until it is enabled") {
            store async throws in
            let account = try await store.signIn(.sample()).account.id
            #expect(try await store.setDisabled(true, account, at: .start + .days(1), by: .operator))
            #expect(try await store.setDisabled(true, account, at: .start + .days(2), by: .operator))
            #expect(try await store.account(account)?.disabledAt == .start + .days(1))
            let spent = Spent.sample()
            await expectError(.accountDisabled) { _ = try await store.signIn(.sample(spent: [spent])) }
            await expectError(.accountDisabled) {
                _ = try await store.signIn(.sample(spent: [spent], name: try .sample("New")))
            }
            #expect(try await store.firstUsed(among: [spent], at: .start) == nil)
            _ = try await store.signIn(.sample(.sample("another")))
            #expect(try await store.setDisabled(false, account, at: .start + .days(3), by: .operator))
            #expect(try await store.signIn(.sample(spent: [spent])).account.id == account)
            let told = try await store.auditEntries(of: account, before: nil, limit: 9)
            #expect(told.count { $0.event == .accountDisabled && $0.actor == .operator } == 1)
            #expect(told.count { $0.event == .accountEnabled } == 1)
            #expect(try await store.setDisabled(true, .sample(), at: .start, by: .operator) == false)
        },
    ]
}
