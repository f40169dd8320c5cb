import AccountSQL
import AccountService
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import HTTPTypes
import Testing

@Suite("Who somebody is")
struct IdentityTests {
    @Test("Two apps and a Services ID of one team lead to one account", arguments: Engine.allCases)
    func oneTeam(on engine: Engine) async throws {
        let house = try await House(engine, portal: .twoTeams)
        let juice = try await house.domain.signIn.native(house.device())
        let cider = try await house.domain.signIn.native(house.device(client: "com.example.cider"))
        let web = try await house.browse()
        #expect(juice.isNewAccount)
        #expect(!cider.isNewAccount && !web.isNewAccount)
        #expect(Set([juice.account.id, cider.account.id, web.account.id]).count == 1)
    }

    @Test("Another team's same person is another account, though the address is the same", arguments: Engine.allCases)
    func twoTeams(on engine: Engine) async throws {
        let house = try await House(engine, portal: .twoTeams)
        let ours = try await house.domain.signIn.native(house.device())
        let theirs = try await house.domain.signIn.native(house.device(client: "com.other.app"))
        #expect(theirs.isNewAccount)
        #expect(ours.account.id != theirs.account.id)
        #expect(ours.account.email == theirs.account.email)
    }

    @Test("Different people have different accounts", arguments: Engine.allCases)
    func people(on engine: Engine) async throws {
        let house = try await House(engine)
        let johnny = try await house.domain.signIn.native(house.device())
        let zoe = try await house.domain.signIn.native(house.device(person: "zoe", name: "Zoë"))
        #expect(johnny.account.id != zoe.account.id)
    }

    @Test(
        "Who hides the address is not refused, and who shows it the next time keeps the account",
        arguments: Engine.allCases)
    func hiddenThenShown(on engine: Engine) async throws {
        let house = try await House(engine)
        func signIn(hidesEmail: Bool) async throws -> TokenSignIn {
            let nonce = String.nonce()
            let answer = try await house.emulator.authorize(
                client: House.juice, nonce: nonce.sha256, hidesEmail: hidesEmail, native: true)
            return try await house.domain.signIn.native(
                NativeSignIn(identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce))
        }
        let hidden = try await signIn(hidesEmail: true)
        #expect(hidden.isNewAccount)
        var stop = HTTPRequest(
            method: .post, scheme: "http", authority: "127.0.0.1:4010", path: "/emulator/grants/stop-using")
        stop.headerFields[.contentType] = "application/json"
        let (answer, _) = await house.emulator.respond(
            to: stop, body: Array(#"{"person":"johnny","clientID":"com.example.juice"}"#.utf8))
        #expect((200..<300).contains(answer.status.code))
        let shown = try await signIn(hidesEmail: false)
        #expect(!shown.isNewAccount && shown.account.id == hidden.account.id)
        #expect(hidden.account.email != nil && shown.account.email != hidden.account.email)
    }

    @Test("Fifty first sign-ins of one person at once make one account", arguments: Engine.allCases)
    func race(on engine: Engine) async throws {
        let house = try await House(engine)
        let requests = try await withThrowingTaskGroup(of: NativeSignIn.self) { group in
            for _ in 0..<50 {
                group.addTask { try await house.device() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let results = try await withThrowingTaskGroup(of: TokenSignIn.self) { group in
            for request in requests {
                group.addTask { try await house.domain.signIn.native(request) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(results.map(\.account.id)).count == 1)
        #expect(results.filter(\.isNewAccount).count == 1)
    }

    @Test("A store of one Apple is refused by a server for another", arguments: Engine.allCases)
    func otherApple(on engine: Engine) async throws {
        let house = try await House(engine)
        #expect(try await house.store.claim(for: "apple") == House.emulatorURL)
    }
}
