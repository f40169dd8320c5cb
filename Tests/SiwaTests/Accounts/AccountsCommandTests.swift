import AccountDatabase
import AppleID
import AppleIDTypes
import Crypto
import Foundation
import Logging
import Testing

@testable import AccountService
@testable import siwa

@Suite("siwa accounts and siwa keys")
struct AccountsCommandTests {
    private static let ring = "k1:" + Data(repeating: 1, count: 32).base64EncodedString()

    /// A place for a database of its own on each engine, with two people in it.
    static func withPeople(
        _ engine: String, _ test: (_ environment: [String: String], _ ids: [String]) async throws -> Void
    ) async throws {
        try await CommandDatabase.with(engine) { database in
            var ids: [String] = []
            try await database.withStore { store in
                for (index, name) in ["Johnny", "Zoë"].enumerated() {
                    ids.append(try await store.signIn(.numbered(index, name: name)).account.id.rawValue)
                }
                _ = try await ServerKeys.open(
                    store: store, keyRing: KeyRingInUse(KeyRing(parsing: Self.ring)), environment: .live,
                    logger: Logger(label: "test"))
            }
            try await test(["SIWA_DATABASE": database.address, "SIWA_KEY_RING": Self.ring], ids)
        }
    }

    /// The database of such a place.
    static func withStore(
        _ environment: [String: String], _ work: (AccountTransactions) async throws -> Void
    ) async throws {
        try await CommandDatabase(address: try #require(environment["SIWA_DATABASE"])).withStore(work)
    }

    static var engines: [String] { CommandDatabase.engines }

    private func siwa(_ environment: [String: String], _ arguments: String...) throws -> Transcript.Result {
        try Transcript.run(arguments, environment: environment)
    }

    @Test("list, show, disable and enable accounts, which are found by any known value", arguments: engines)
    func accounts(on engine: String) async throws {
        try await Self.withPeople(engine) { environment, ids in
            let all = try siwa(environment, "accounts", "list")
            #expect(all.status == 0 && all.complaints.isEmpty)
            let lines = all.output.split(separator: "\n")
            #expect(lines.first?.split(separator: " ") == ["ID", "CREATED", "STATE", "EMAIL", "NAME"])
            #expect(lines.dropFirst().map { $0.prefix(30) } == ids.map { $0.prefix(30) })
            // Each column begins where its title does.
            let header = try #require(lines.first)
            for (title, texts) in [("STATE", ["open", "open"]), ("NAME", ["Johnny", "Zoë"])] {
                let column = try #require(header.firstRange(of: title)).lowerBound
                let offset = header.distance(from: header.startIndex, to: column)
                #expect(zip(lines.dropFirst(), texts).allSatisfy { $0.dropFirst(offset).hasPrefix($1) })
            }
            let zoe = try siwa(environment, "accounts", "list", "zoe", "--json")
            let json = try JSONSerialization.jsonObject(with: Data(zoe.output.utf8)) as? [String: Any]
            #expect(json?["id"] as? String == ids[1] && json?["disabledAt"] is NSNull)

            for who in [ids[0], "001.person.0", "PERSON0@example.com", "johnny"] {
                #expect(try siwa(environment, "accounts", "show", who).output.hasPrefix("account    \(ids[0])\n"))
            }
            let shown = try siwa(environment, "accounts", "show", "johnny", "--json").output
            let account = try JSONSerialization.jsonObject(with: Data(shown.utf8)) as? [String: Any]
            #expect(account?["sessions"] as? Int == 1)
            let identity = try #require((account?["identities"] as? [[String: Any]])?.first)
            #expect(identity["appleAccess"] as? String == "granted" && identity["appleToken"] as? String == "none")
            for member in ["appleAccessEndedAt", "emailForwarding", "organizationID"] {
                #expect(identity[member] is NSNull, "\(member)")
            }
            #expect(identity["realUserStatus"] != nil && identity["lastAuthorizedAt"] is String)
            let text = try siwa(environment, "accounts", "show", "johnny").output
            #expect(text.contains("  access   granted\n  token    none\n"))
            #expect(text.contains("\ncontact    -\nphone      -\n"))
            #expect(account?["contactEmail"] is NSNull && account?["phone"] is NSNull)
            #expect((account?["history"] as? [[String: Any]])?.first?["event"] as? String == "signed_in")
            #expect(try siwa(environment, "accounts", "sessions", "johnny").output.contains("com.example.juice"))

            #expect(try siwa(environment, "accounts", "disable", "johnny").output.contains("; 1 session ended"))
            let again = try siwa(environment, "accounts", "disable", "johnny", "--json")
            #expect(
                again.output == """
                    {
                      "account" : "\(ids[0])",
                      "sessionsEnded" : 0,
                      "state" : "disabled"
                    }

                    """)
            #expect(try siwa(environment, "accounts", "sessions", "johnny").output.isEmpty)
            #expect(try siwa(environment, "accounts", "show", "johnny").output.contains("disabled since"))
            let open = try siwa(environment, "accounts", "enable", "johnny", "--json")
            #expect(open.status == 0 && open.output.contains(#""state" : "open""#))
            #expect(try siwa(environment, "accounts", "show", "johnny").output.contains("state      open"))
        }
    }

    @Test("say if no account is found, and which accounts are found if there are several", arguments: engines)
    func nobody(on engine: String) async throws {
        try await Self.withPeople(engine) { environment, ids in
            let nobody = try siwa(environment, "accounts", "show", "nobody")
            #expect(nobody.status == 1 && nobody.complaints.contains("error: no account was found"))
            let several = try siwa(environment, "accounts", "disable", "person")
            #expect(several.status == 1 && ids.allSatisfy { several.complaints.contains($0) })
        }
    }

    @Test("rotate and reseal keys, from the settings of siwa serve", arguments: engines)
    func keys(on engine: String) async throws {
        try await Self.withPeople(engine) { environment, _ in
            let young = try siwa(environment, "keys", "rotate")
            #expect(young.status == 1 && young.complaints.contains("--at-once"))
            let rotated = try siwa(environment, "keys", "rotate", "--at-once")
            #expect(rotated.status == 0 && rotated.output.split(separator: "\n").count == 3)
            let json = try siwa(environment, "keys", "rotate", "--at-once", "--json").output
            for member in ["active", "next", "retired"] { #expect(json.contains("\"\(member)\" : \"key_")) }

            var changed = environment
            changed["SIWA_KEY_RING"] = "k2:" + Data(repeating: 2, count: 32).base64EncodedString() + "," + Self.ring
            let resealed = try siwa(changed, "keys", "reseal")
            #expect(resealed.status == 0 && resealed.output == "5 sealed anew\nno key but the first is in use\n")
            let old = try siwa(environment, "keys", "reseal")
            #expect(old.status == 1 && old.complaints.contains("`k2`"))
            #expect(try !siwa(changed, "keys", "reseal").complaints.contains("error"))
            var without = environment
            without["SIWA_KEY_RING"] = nil
            #expect(try siwa(without, "keys", "rotate").complaints.contains("key-ring"))
        }
    }

    @Test("make no database if there is none")
    func noDatabase() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID().uuidString).sqlite").path
        let result = try siwa(["SIWA_DATABASE": path], "accounts", "list")
        #expect(result.status == 1 && result.complaints.contains("there is no database"))
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}

extension SignInRecord {
    /// A sign-in of its own person, now.
    static func numbered(_ number: Int, name: String) -> SignInRecord {
        let now = Timestamp(Date())
        func bytes() -> [UInt8] { (0..<10).map { _ in UInt8.random(in: .min ... .max) } }
        // The second is the younger, also by its id.
        let moment = now + .milliseconds(number)
        return SignInRecord(
            at: moment, used: [],
            person: Person(
                team: "TEAM000001", subject: Subject("001.person.\(number)"), email: "person\(number)@example.com",
                emailVerified: true, isPrivateEmail: false, realUserStatus: nil),
            newAccountID: AccountID(at: moment, randomness: bytes()),
            newIdentityID: IdentityID(at: moment, randomness: bytes()),
            name: PersonName(givenName: name, familyName: "Person"), openPendingProfile: { _ in nil }, appleToken: nil,
            session: NewSession(
                id: SessionID(at: moment, randomness: bytes()), kind: .tokens, clientID: "com.example.juice",
                secretHash: TokenHash(of: "secret \(number)"), authenticatedAt: moment,
                expiresAt: moment + .seconds(86_400)),
            formerSession: nil)
    }
}
