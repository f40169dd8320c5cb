import AccountDatabase
import AccountSQLite
import AppleID
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("An operator's search")
struct AccountSearchTests {
    private func directory() async throws -> (AccountDirectory, AccountTransactions, [AccountID]) {
        let store = try await AccountTransactions.open(.inMemory)
        var ids: [AccountID] = []
        for (index, person) in [
            ("001.zoe", "Zoë", "Özdemir", "Zoe@Example.com"), ("001.johnny", "Johnny", "Appleseed", "john@example.com"),
            ("001.other", "Zoltán", "Øster-Berg", nil),
        ].enumerated() {
            let moment = Timestamp(secondsSince1970: 1_750_000_000 + Int64(index))
            let environment = Clock().environment
            let outcome = try await store.signIn(
                SignInRecord(
                    at: moment, used: [],
                    person: SignInRecord.Person(
                        team: "TEAM000001", subject: Subject(person.0), email: person.3, emailVerified: true,
                        isPrivateEmail: false, realUserStatus: nil),
                    newAccountID: AccountID(at: moment, randomness: environment.randomBytes(10)),
                    newIdentityID: IdentityID(at: moment, randomness: environment.randomBytes(10)),
                    name: PersonName(givenName: person.1, familyName: person.2), openPendingProfile: { _ in nil },
                    appleToken: nil,
                    session: SignInRecord.NewSession(
                        id: SessionID(at: moment, randomness: environment.randomBytes(10)), kind: .tokens,
                        clientID: "com.example.juice", secretHash: TokenHash(of: person.0), authenticatedAt: moment,
                        expiresAt: moment + .days(30)),
                    formerSession: nil))
            ids.append(outcome.account.id)
        }
        return (AccountDirectory(store: store, environment: Clock().environment), store, ids)
    }

    @Test(
        "finds by address, sub and words of a name",
        arguments: [
            ("zoe@example.com", [0]), (" ZOE@EXAMPLE.COM ", [0]), ("zoe@example", []), ("001.johnny", [1]),
            ("001.", []), ("001.JOHNNY", []), ("zo", [0, 2]), ("zoe", [0]), ("ZOË özd", [0]), ("ozdemir zoe", [0]),
            ("appleseed johnny x", []), ("berg", [2]), ("doe", []), ("-", []),
        ] as [(String, [Int])])
    func find(text: String, found: [Int]) async throws {
        let (directory, _, ids) = try await directory()
        #expect(try await directory.find(AccountSearch(text)).map(\.id) == found.map { ids[$0] })
    }

    @Test("finds an account by its id, and none by an unknown id")
    func id() async throws {
        let (directory, _, ids) = try await directory()
        #expect(try await directory.find(AccountSearch(ids[1].rawValue)).map(\.id) == [ids[1]])
        #expect(try await directory.find(AccountSearch("acc_00000000000000000000000000")).isEmpty)
    }

    @Test("is refused if it is blank or contains a null character", arguments: ["", "  \n", "a\u{0}b"])
    func nothing(text: String) {
        #expect(throws: AccountError(.requestInvalid, "")) { try AccountSearch(text) }
    }

    @Test(
        "looks up a sub and an address that fits exactly, and reads no other account",
        arguments: [("Zoe@Example.com", 0), ("john@example.com", 1), ("001.other", 2)])
    func lookUp(text: String, found: Int) async throws {
        let (directory, _, ids) = try await directory()
        let records = try await directory.find(AccountSearch(text)) { _, _ in
            Issue.record("Accounts are read one after another.")
        }
        #expect(records.map(\.id) == [ids[found]])
    }

    @Test("reports its progress, in order, to the end")
    func progress() async throws {
        let (directory, _, _) = try await directory()
        var told: [Int] = []
        _ = try await directory.find(AccountSearch("nobody")) { done, total in
            told.append(done)
            #expect(total == 3)
        }
        #expect(told.last == 3)
    }
}
