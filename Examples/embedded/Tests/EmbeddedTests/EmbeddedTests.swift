import AccountAPI
import AccountHTTP
import AccountSQLite
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import embedded

/// A server with its accounts in memory, whose Apple is an emulator in the same process.
private struct World {
    static let app: ClientID = "com.example.juice"

    let emulator: Emulator
    let transport: EmulatorTransport
    let notes: Notes
    let server: NotesServer
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })

    init() async throws {
        let notes = Notes()
        let configuration = AccountConfiguration(
            publicURL: try PublicURL("http://localhost:8080"),
            keyRing: try KeyRing(parsing: "test:" + Data((0..<32).map { UInt8($0) }).base64EncodedString()),
            webClient: nil, nativeClients: [Self.app])
        // guide
        let clock = TestClock()
        let emulator = try await Emulator.forTests(clock: clock)
        let transport = EmulatorTransport(to: emulator)
        let apple = try AppleIDClient(emulator: emulator, transport: transport, clock: clock)
        let server = try await NotesServer.open(
            configuration: configuration, apple: apple, storage: .inMemory, notes: notes, logger: logger)
        // end
        self.emulator = emulator
        self.transport = transport
        self.notes = notes
        self.server = server
    }

    func run(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        try await server.application(port: 0, logger: logger).test(.router, body)
    }

    // guide
    /// Signs a person in as an app does, and returns the access token.
    func signIn(_ client: any TestClientProtocol, person: String = "johnny") async throws -> String {
        let nonce = try server.domain.challenges.make(for: .signIn, session: nil).nonce
        let authorization = try await emulator.authorize(person: person, client: Self.app, nonce: nonce, native: true)
        let request = NativeSignInRequest(
            identityToken: authorization.identityToken, authorizationCode: authorization.code?.rawValue, nonce: nonce)
        return try await client.execute(
            uri: "/v1/sign-in/apple", method: .post, headers: [.contentType: "application/json"],
            body: ByteBuffer(bytes: try JSONEncoder().encode(request))
        ) { response in
            try #require(response.status == .ok, "\(String(buffer: response.body))")
            return try JSONDecoder().decode(SignInAnswer.self, from: Data(response.body.readableBytesView))
        }.session.accessToken
    }
    // end

    func ask(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String, token: String? = nil,
        body: String = ""
    ) async throws -> (status: Int, body: String) {
        try await client.execute(
            uri: path, method: method, headers: token.map { [.authorization: "Bearer \($0)"] } ?? [:],
            body: ByteBuffer(string: body)
        ) { ($0.status.code, String(buffer: $0.body)) }
    }
}

@Suite("A server with the account service among its routes", .timeLimit(.minutes(1)))
struct EmbeddedTests {
    @Test("a person signs in, keeps a note, and deletes the account, which revokes at Apple and deletes the note")
    func life() async throws {
        let world = try await World()
        try await world.run { client in
            #expect(try await world.ask(client, .get, "/note").status == 401)
            let token = try await world.signIn(client)
            #expect(try await world.ask(client, .put, "/note", token: token, body: "milk").status == 204)
            #expect(try await world.ask(client, .get, "/note", token: token).body == "milk")
            #expect(try await world.ask(client, .delete, "/v1/account", token: token).status == 202)
            #expect(try await world.ask(client, .get, "/note", token: token).status == 401)
            // The hook and the outbox run in the background, as services of the same application.
            while await world.notes.count > 0 { await Task.yield() }
            while world.transport.count(of: "/auth/revoke") == 0 { await Task.yield() }
        }
    }

    @Test("a merge moves the note to the remaining account, and a second notice changes nothing")
    func merge() async {
        let notes = Notes()
        let gone = AccountID(rawValue: "acc_1")
        let remaining = AccountID(rawValue: "acc_2")
        await notes.keep("milk", for: gone)
        await notes.move(from: gone, to: remaining)
        await notes.move(from: gone, to: remaining)
        let former = await notes.note(of: gone)
        let present = await notes.note(of: remaining)
        #expect(former == nil)
        #expect(present == "milk")
    }

    @Test("the server's start page replaces the account service's, and the health check is there")
    func routes() async throws {
        let world = try await World()
        try await world.run { client async throws in
            #expect(try await world.ask(client, .get, "/").body.hasPrefix("Notes."))
            #expect(try await world.ask(client, .get, "/readyz").status == 200)
            #expect(try await world.ask(client, .get, "/v1/account").status == 401)
        }
    }
}
