import AccountDatabase
import AccountService
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import HTTPTypes
import Testing

@Suite("A person's identity")
struct IdentityTests {
    @Test("Two apps and a Services ID of one team lead to one account", arguments: Engine.allCases)
    func oneTeam(on engine: Engine) async throws {
        let system = try await TestSystem(engine, portal: .twoTeams)
        let juice = try await system.domain.signIn.native(system.device())
        let cider = try await system.domain.signIn.native(system.device(client: "com.example.cider"))
        let web = try await system.browse()
        #expect(juice.isNewAccount)
        #expect(!cider.isNewAccount && !web.isNewAccount)
        #expect(Set([juice.account.id, cider.account.id, web.account.id]).count == 1)
    }

    @Test("The same person in another team has another account, even with the same address", arguments: Engine.allCases)
    func twoTeams(on engine: Engine) async throws {
        let system = try await TestSystem(engine, portal: .twoTeams)
        let ours = try await system.domain.signIn.native(system.device())
        let theirs = try await system.domain.signIn.native(system.device(client: "com.other.app"))
        #expect(theirs.isNewAccount)
        #expect(ours.account.id != theirs.account.id)
        #expect(ours.account.email == theirs.account.email)
    }

    @Test("Different people have different accounts", arguments: Engine.allCases)
    func people(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let johnny = try await system.domain.signIn.native(system.device())
        let zoe = try await system.domain.signIn.native(system.device(person: "zoe", name: "Zoë"))
        #expect(johnny.account.id != zoe.account.id)
    }

    @Test(
        "A person who hides the address can sign in, and keeps the account after showing it the next time",
        arguments: Engine.allCases)
    func hiddenThenShown(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        func signIn(hidesEmail: Bool) async throws -> TokenSignIn {
            let nonce = String.nonce()
            let answer = try await system.emulator.authorize(
                client: TestSystem.juice, nonce: nonce.sha256, hidesEmail: hidesEmail, native: true)
            return try await system.domain.signIn.native(
                NativeSignIn(identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce))
        }
        let hidden = try await signIn(hidesEmail: true)
        #expect(hidden.isNewAccount)
        var stop = HTTPRequest(
            method: .post, scheme: "http", authority: "127.0.0.1:4010", path: "/emulator/grants/stop-using")
        stop.headerFields[.contentType] = "application/json"
        let (answer, _) = await system.emulator.respond(
            to: stop, body: Array(#"{"person":"johnny","clientID":"com.example.juice"}"#.utf8))
        #expect((200..<300).contains(answer.status.code))
        let shown = try await signIn(hidesEmail: false)
        #expect(!shown.isNewAccount && shown.account.id == hidden.account.id)
        #expect(hidden.account.email != nil && shown.account.email != hidden.account.email)
    }

    @Test("Fifty first sign-ins of one person at once make one account", arguments: Engine.allCases)
    func race(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let requests = try await withThrowingTaskGroup(of: NativeSignIn.self) { group in
            for _ in 0..<50 {
                group.addTask { try await system.device() }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let results = try await withThrowingTaskGroup(of: TokenSignIn.self) { group in
            for request in requests {
                group.addTask { try await system.domain.signIn.native(request) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(results.map(\.account.id)).count == 1)
        #expect(results.filter(\.isNewAccount).count == 1)
    }

    @Test("A database for one Apple server is refused by a service for another", arguments: Engine.allCases)
    func otherApple(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        #expect(try await system.store.bind(toIssuer: "apple") == TestSystem.emulatorURL)
    }
}
