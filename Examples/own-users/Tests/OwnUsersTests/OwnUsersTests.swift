import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Crypto
import Foundation
import GRDB
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import own_users

/// A server with a table in memory, whose Apple is an emulator in the same process.
private struct World {
    let clock = TestClock()
    let emulator: Emulator
    let transport: EmulatorTransport
    let apple: AppleIDClient
    let users: UserTable
    let server: UserServer
    static let app: ClientID = "com.example.juice"

    init() async throws {
        var portal = Portal.seeded()
        portal.teams.append(Portal.Team(id: "CIDERTEAM2", name: "Cider Makers", apps: []))
        let deliveries = Deliveries()
        emulator = try await Emulator.forTests(
            clock: clock, portal: portal,
            deliver: { request in
                await deliveries.append(Array(request.body.utf8))
                return 200
            })
        try await emulator.register(notificationURL: "https://juice.example.com/apple", for: Self.app)
        self.deliveries = deliveries
        transport = EmulatorTransport(to: emulator)
        apple = try AppleIDClient(emulator: emulator, transport: transport, clock: clock)
        users = try UserTable(DatabaseQueue(), key: SymmetricKey(size: .bits256))
        let clock = clock
        server = UserServer(
            apple: apple, client: Self.app, users: users, now: { clock.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    private let deliveries: Deliveries

    private actor Deliveries {
        private(set) var all: [[UInt8]] = []

        func append(_ body: [UInt8]) { all.append(body) }
    }

    func run(_ body: @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        try await Application(router: server.router()).test(.router, body)
    }

    /// Apple's notifications so far.
    func notifications() async throws -> [[UInt8]] {
        try await emulator.deliverNotifications()
        return await deliveries.all
    }

    /// The credential that an app sends after Apple's sheet.
    func credential(
        _ client: any TestClientProtocol, person: String = "johnny"
    ) async throws -> [String: String] {
        let nonce = try await client.execute(uri: "/nonce", method: .post) { response in
            try JSONDecoder().decode(UserServer.Nonce.self, from: Data(response.body.readableBytesView)).nonce
        }
        let authorization = try await emulator.authorize(
            person: person, client: Self.app, nonce: nonce, hidesEmail: true, native: true)
        return [
            "identityToken": try #require(authorization.identityToken),
            "authorizationCode": try #require(authorization.code).rawValue, "nonce": nonce, "name": "Johnny Appleseed",
        ]
    }

    func signIn(_ client: any TestClientProtocol, _ credential: [String: String]) async throws -> UserServer.Account? {
        let body = ByteBuffer(bytes: try JSONEncoder().encode(credential))
        return try await client.execute(
            uri: "/sign-in/apple", method: .post, headers: [.contentType: "application/json"], body: body
        ) { response in
            guard response.status == .ok else { return nil }
            return try JSONDecoder().decode(UserServer.Account.self, from: Data(response.body.readableBytesView))
        }
    }

    func status(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ uri: String, session: String?,
        body: [UInt8] = []
    ) async throws -> Int {
        try await client.execute(
            uri: uri, method: method, headers: session.map { [.authorization: "Bearer \($0)"] } ?? [:],
            body: ByteBuffer(bytes: body)
        ) { $0.status.code }
    }
}

@Suite("A server with users of its own")
struct OwnUsersTests {
    @Test("a person signs in and returns to the same user, and no credential works twice")
    func signIn() async throws {
        let world = try await World()
        try await world.run { client in
            let credential = try await world.credential(client)
            let first = try #require(try await world.signIn(client, credential))
            #expect(first.name == "Johnny Appleseed" && first.email?.hasSuffix("@privaterelay.appleid.com") == true)
            #expect(try await world.signIn(client, credential) == nil)
            let second = try #require(try await world.signIn(client, try await world.credential(client)))
            #expect(second.id == first.id && second.session != first.session)
            let other = try #require(try await world.signIn(client, try await world.credential(client, person: "zoe")))
            #expect(other.id != first.id)
            #expect(try await world.status(client, .get, "/account", session: first.session) == 200)
            #expect(try await world.status(client, .get, "/account", session: nil) == 401)
        }
    }

    @Test("a token with another nonce is refused")
    func nonce() async throws {
        let world = try await World()
        try await world.run { client in
            var credential = try await world.credential(client)
            credential["nonce"] = try await world.credential(client)["nonce"]
            #expect(try await world.signIn(client, credential) == nil)
        }
    }

    @Test("a deletion revokes at Apple, after an outage if necessary")
    func deletion() async throws {
        let world = try await World()
        try await world.run { client in
            let account = try #require(try await world.signIn(client, try await world.credential(client)))
            world.transport.fail("/auth/revoke", with: .unreachable)
            #expect(try await world.status(client, .delete, "/account", session: account.session) == 204)
            #expect(try await world.status(client, .get, "/account", session: account.session) == 401)
            #expect(try await world.users.revocations().count == 1)
            world.transport.fail("/auth/revoke", with: nil)
            await world.server.revoke()
            #expect(try await world.users.revocations().isEmpty)
            let again = try #require(try await world.signIn(client, try await world.credential(client)))
            #expect(again.id != account.id)
        }
    }

    @Test("an end of consent at Apple ends the person's sessions, once")
    func notification() async throws {
        let world = try await World()
        try await world.run { client in
            let account = try #require(try await world.signIn(client, try await world.credential(client)))
            world.clock.advance(by: .seconds(5))
            try await world.emulator.stopUsing(World.app)
            let body = try #require(try await world.notifications().last)
            for _ in 0..<2 {
                #expect(
                    try await world.status(client, .post, "/apple/notifications", session: nil, body: body) == 200)
            }
            #expect(try await world.status(client, .get, "/account", session: account.session) == 401)
            #expect(
                try await world.status(client, .post, "/apple/notifications", session: nil, body: [0x7B]) == 400)
            let back = try #require(try await world.signIn(client, try await world.credential(client)))
            #expect(back.id == account.id)
        }
    }

    @Test("a notification that arrives after the person has returned changes nothing")
    func lateNotification() async throws {
        let world = try await World()
        try await world.run { client in
            _ = try #require(try await world.signIn(client, try await world.credential(client)))
            world.clock.advance(by: .seconds(5))
            try await world.emulator.stopUsing(World.app)
            let body = try #require(try await world.notifications().last)
            world.clock.advance(by: .seconds(5))
            let back = try #require(try await world.signIn(client, try await world.credential(client)))
            #expect(try await world.status(client, .post, "/apple/notifications", session: nil, body: body) == 200)
            #expect(try await world.status(client, .get, "/account", session: back.session) == 200)
            #expect(try await world.status(client, .delete, "/account", session: back.session) == 204)
            #expect(try await world.users.revocations().isEmpty, "Apple was told, so the token was still there")
        }
    }

    @Test("people keep their users when the app goes to another team")
    func transfer() async throws {
        let world = try await World()
        try await world.run { client in
            let account = try #require(try await world.signIn(client, try await world.credential(client)))
            _ = try await world.signIn(client, try await world.credential(client, person: "zoe"))
            let before = try await world.users.subjects()
            try await world.emulator.transfer(World.app, to: "CIDERTEAM2")
            let recipient = try AppleIDClient(
                emulator: world.emulator, team: "CIDERTEAM2", transport: world.transport, clock: world.clock)
            let transfer = TeamTransfer(users: world.users, client: World.app)
            try await transfer.export(by: world.apple, to: "CIDERTEAM2")
            #expect(try await world.users.transferSubjects().count == 2)
            try await transfer.import(by: recipient)
            let after = try await world.users.subjects()
            #expect(after.count == 2 && Set(after).isDisjoint(with: before))
            #expect(try await world.status(client, .get, "/account", session: account.session) == 200)
        }
    }
}
