import AccountService
import AppleIDTypes
import CommandIO
import Foundation
import Testing

@testable import PeopleFiles

@Suite("People of other services")
struct FormatTests {
    static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    static func path(_ name: String) -> String { fixtures.appending(path: name).path }

    private static func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: fixtures.appending(path: name)), as: UTF8.self)
    }

    /// 2026-01-01.
    private static let now = Timestamp(microseconds: 1_767_225_600_000_000)

    static func context() throws -> ImportContext {
        var context = ImportContext(team: "JUICETEAM1", now: now)
        context.bundleID = "com.example.juice"
        context.servicesID = "com.example.juice.web"
        context.firebase = try FirebaseScrypt(hashConfig: text("firebase-hash.txt"))
        return context
    }

    private func people(
        _ name: String, _ format: ImportFormat, _ context: ImportContext? = nil
    ) async throws -> (people: [ImportedPerson], faults: [String]) {
        var file = try PeopleFile(Self.path(name), as: format, context ?? Self.context())
        var (people, faults) = ([ImportedPerson](), [String]())
        while let read = try await file.next(2) {
            for entry in read {
                switch entry {
                case .person(let person): people.append(person)
                case .fault(let line, let problem): faults.append("\(line) \(problem)")
                case .forgotten: Issue.record("people whose accounts were deleted")
                }
            }
        }
        #expect(file.progress == 1_000)
        return (people, faults)
    }

    /// The hash of an identity's password; nil for another password, or none.
    private func hash(_ identity: ImportedIdentity) -> String? {
        guard case .hash(let text) = identity.password else { return nil }
        return text
    }

    private static let sub: Subject = "001234.0123456789abcdef0123456789abcdef.0001"

    @Test("Firebase: addresses, hashes, names and other providers")
    func firebase() async throws {
        let (people, faults) = try await people("firebase.json", .firebase)
        #expect(faults.isEmpty && people.map(\.shownID) == ["uid-zoe", "uid-new", "uid-github"])
        let zoe = people[0]
        #expect(zoe.name?.formatted == "Zoë \"Otter\" {Violet}")
        #expect(zoe.createdAt == Timestamp(microseconds: 1_600_000_000_000_000))
        #expect(zoe.otherProviders == ["google.com"] && zoe.line == 2)
        #expect(zoe.identities.count == 1 && zoe.identities[0].subject == "zoe@example.com")
        #expect(zoe.identities[0].email == "Zoe@Example.com" && zoe.identities[0].emailVerified)
        #expect(hash(zoe.identities[0])?.hasPrefix("$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8") == true)
        #expect(!people[1].identities[0].emailVerified)
        #expect(people[2].identities.isEmpty && people[2].otherProviders == ["github.com"] && people[2].isDisabled)
    }

    @Test("Firebase without the hash parameters: everybody needs a new password")
    func firebaseWithoutParameters() async throws {
        let context = ImportContext(team: "JUICETEAM1", now: Self.now)
        let people = try await people("firebase.json", .firebase, context).people
        #expect(people[0].identities[0].password == .unknown)
    }

    @Test("Firebase through the Admin SDK: Apple's sub, too")
    func firebaseAdmin() async throws {
        let (people, faults) = try await people("firebase-admin.json", .firebase)
        #expect(faults.isEmpty && people.count == 2)
        let apple = people[0].identities[0]
        #expect(apple.provider == .apple && apple.team == "JUICETEAM1" && apple.subject == Self.sub)
        #expect(apple.isPrivateEmail && apple.emailVerified && people[0].identities.count == 1)
        #expect(people[1].identities.map(\.provider) == [.apple, .email] && people[1].isDisabled)
        #expect(hash(people[1].identities[1]) != nil)
    }

    @Test("an identity of a provider that this service knows is imported, and other providers are named")
    func providers() async throws {
        var context = try Self.context()
        context.providers = ["google": "https://accounts.google.com"]
        let people = try await people("firebase.json", .firebase, context).people
        let google = try #require(people[0].identities.first { $0.provider == IdentityProvider(rawValue: "google") })
        #expect(google.team == "https://accounts.google.com" && google.subject == "1122334455")
        // Firebase's word is about the user's address, which is spelled otherwise.
        #expect(google.email == "zoe@example.com" && !google.emailVerified)
        #expect(people[0].otherProviders.isEmpty && people[2].otherProviders == ["github.com"])
    }

    @Test("Supabase: identities, bcrypt, and argon2 that can't be checked")
    func supabase() async throws {
        let (people, faults) = try await people("supabase.csv", .supabase)
        #expect(faults.isEmpty && people.count == 4)
        #expect(people[0].identities.map(\.provider) == [.apple] && people[0].identities[0].subject == Self.sub)
        #expect(people[0].createdAt == Timestamp(microseconds: 1_704_164_645_678_901))
        #expect(people[1].name?.givenName == "Zoë" && people[1].name?.familyName == "Otter" && people[1].isDisabled)
        #expect(hash(people[1].identities[0])?.hasPrefix("$2a$10$") == true)
        #expect(people[2].identities[0].password == .unknown)
        #expect(people[3].identities.isEmpty && people[3].otherProviders == ["google"])
    }

    @Test(
        "Supabase: a ban holds until its end, and one without a known end holds for good",
        arguments: [
            ("2025-12-31 23:59:59+00", false), ("2026-01-01 00:00:00+00", false), ("2026-01-01 00:00:01+00", true),
            ("infinity", true), ("", false),
        ])
    func supabaseBan(end: String, isDisabled: Bool) throws {
        let line = #"{"id":"1","banned_until":"\#(end)"}"#
        let person = try ImportFormat.supabase.person(ImportFields(json: Array(line.utf8), line: 1), Self.context())
        #expect(person.isDisabled == isDisabled)
    }

    @Test("Auth0: users, and their password hashes in another file under the same id")
    func auth0() async throws {
        let users = try await people("auth0-users.ndjson", .auth0).people
        #expect(users.map(\.shownID).last == "google-oauth2|123" && users[2].otherProviders == ["google-oauth2"])
        #expect(users[0].identities[0].subject == Self.sub && users[0].name?.givenName == "Johnny")
        #expect(users[1].isDisabled && users[1].name == nil)
        #expect(users[1].identities[0].password == .unknown)
        let hashes = try await people("auth0-hashes.ndjson", .auth0).people
        #expect(hashes.map(\.shownID) == ["auth0|5dea9f9c82dd7c0e76e4ec93", "auth0|euclid"])
        #expect(hashes[0].formerIDs == users[1].formerIDs)
        #expect(hashes[1].identities[0].subject == "euclid@example.com" && hashes[1].identities[0].emailVerified)
        #expect(hash(hashes[1].identities[0]) != nil)
    }

    @Test("Auth0: accounts that were linked keep their own addresses and ids")
    func auth0Linked() throws {
        let line = """
            {"user_id":"apple|s1","email":"relay@privaterelay.appleid.com","email_verified":true,"identities":[\
            {"provider":"apple","user_id":"s1"},{"provider":"auth0","user_id":"5dea","profileData":\
            {"email":"zoe@example.com","email_verified":true}}]}
            """
        let person = try ImportFormat.auth0.person(ImportFields(json: Array(line.utf8), line: 1), Self.context())
        #expect(person.formerIDs.map(\.id) == ["apple|s1", "auth0|5dea"])
        #expect(person.identities.map(\.email) == ["relay@privaterelay.appleid.com", "zoe@example.com"])
        #expect(person.identities.map(\.provider) == [.apple, .email] && person.identities[1].emailVerified)
    }

    @Test("Serverpod: Apple's refresh tokens come along, passwords don't")
    func serverpod() async throws {
        let (people, faults) = try await people("serverpod.csv", .serverpod)
        #expect(faults.isEmpty && people.count == 2)
        #expect(people[0].identities[0].appleTokens.map(\.client) == ["com.example.juice"])
        #expect(people[0].identities[0].appleTokens.map(\.token) == ["r.token-of-johnny"])
        #expect(people[1].otherProviders == ["google"] && people[1].isDisabled)
        #expect(people[1].identities[0].password == .unknown)
    }

    @Test("a flag or a time that can't be read is a fault, because an account could open by it")
    func unreadableFlags() throws {
        var context = try Self.context()
        context.mapping = try CSVMapping(
            json: Array(
                "{\"id\":\"id\",\"email\":\"mail\",\"emailVerified\":\"ok\",\"disabled\":\"off\",\"createdAt\":\"at\"}"
                    .utf8))
        let columns = ["id": 0, "mail": 1, "ok": 2, "off": 3, "at": 4]
        func person(_ verified: String?, _ disabled: String?, _ time: String?) throws -> ImportedPerson {
            try ImportFormat.csv.person(
                ImportFields(row: ["1", "a@example.com", verified, disabled, time], columns: columns, line: 2), context)
        }
        #expect(try person("2024-01-02T03:04:05Z", "no", nil).identities[0].emailVerified)
        #expect(try person(nil, "yes", "1600000000000").isDisabled)
        #expect(throws: ImportFields.Problem.self) { try person("2", nil, nil) }
        #expect(throws: ImportFields.Problem.self) { try person(nil, "banned", nil) }
        #expect(throws: ImportFields.Problem.self) { try person(nil, nil, "1600000000") }
        let firebase = "{\"localId\":\"1\",\"disabled\":\"banned\"}"
        #expect(throws: ImportFields.Problem.self) {
            try ImportFormat.firebase.person(ImportFields(json: Array(firebase.utf8), line: 1), context)
        }
    }

    @Test(
        "a line of an export with a time or a name that can't be read is a fault",
        arguments: [
            "\"disabledAt\":\"then\"", "\"contactEmailVerifiedAt\":\"then\"",
            "\"formerIDs\":[{\"source\":\"csv\",\"id\":\"1\",\"imported\":[\"a,b\"]}]",
        ])
    func unreadableExport(member: String) throws {
        let line = { (more: String) in
            try ImportFields(
                json: Array(
                    "{\"account\":\"acc_00000000000000000000000000\",\"createdAt\":\"2024-01-02T03:04:05Z\"\(more)}"
                        .utf8),
                line: 1)
        }
        let person = try ExportedPeople.person(line(""))
        #expect(person.exported?.disabledAt == nil)
        #expect(throws: ImportFields.Problem.self) { try ExportedPeople.person(line("," + member)) }
    }

    @Test("a configured name for the place that people come from replaces the service's")
    func source() throws {
        var context = try Self.context()
        context.source = "drivers"
        let fields = try ImportFields(json: Array("{\"localId\":\"1\"}".utf8), line: 1)
        #expect(try ImportFormat.firebase.person(fields, context).formerIDs == [FormerID(source: "drivers", id: "1")])
    }

    @Test("CSV by a mapping: a fault in one row leaves the others alone")
    func csv() async throws {
        var context = try Self.context()
        context.mapping = try CSVMapping(json: Array(Self.text("mapping.json").utf8))
        let (people, faults) = try await people("people.csv", .csv, context)
        #expect(faults == ["4 has a createdAt that isn't a time in RFC 3339 or in milliseconds since 1970"])
        #expect(people.map(\.shownID) == ["7", "8"])
        #expect(people[0].identities[0].emailVerified)
        #expect(people[1].identities.map(\.provider) == [.apple] && people[1].name?.familyName == "Apple\"seed")
    }

    @Test(
        "invalid mappings are refused",
        arguments: [
            "nonsense", "[]", "{\"id\": \"a\"}", "{\"email\": \"a\"}",
            "{\"id\": \"a\", \"email\": \"b\", \"eMail\": \"c\"}",
            "{\"id\": \"a\", \"email\": 7}", "{\"id\": \"a\", \"email\": \"b\", \"separator\": \"::\"}",
        ])
    func mappings(text: String) {
        #expect(throws: Failure.self) { try CSVMapping(json: Array(text.utf8)) }
    }

    @Test("hash parameters without one of them are refused")
    func parameters() throws {
        let text = try Self.text("firebase-hash.txt")
        for name in ["base64_signer_key", "base64_salt_separator", "rounds", "mem_cost"] {
            #expect(throws: Failure.self, "\(name)") {
                try FirebaseScrypt(hashConfig: text.replacing(name, with: "other"))
            }
        }
        #expect(throws: Failure.self) { try FirebaseScrypt(hashConfig: text.replacing("SCRYPT", with: "BCRYPT")) }
        #expect(throws: Failure.self) { try FirebaseScrypt(hashConfig: text.replacing("14", with: "30")) }
    }
}
