import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

// The server and the tests of the page "Test a Hummingbird server", letter by letter.

// guide
/// The routes of an app's server. It keeps nonces and people in memory.
struct SignInServer {
    struct SignIn: Codable {
        let identityToken: String
        let authorizationCode: String
        let nonce: String
    }

    struct Person: ResponseCodable {
        let id: String
        let isNew: Bool
    }

    static let app: ClientID = "com.example.juice"
    let apple: AppleIDClient
    let memory = Memory()

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("nonce") { _, _ in
            let nonce = apple.makeNonce()
            await memory.issue(nonce)
            return nonce
        }
        router.post("sign-in") { request, context -> Person in
            let body = try await request.decode(as: SignIn.self, context: context)
            guard await memory.use(body.nonce) else { throw HTTPError(.unauthorized) }
            do throws(AppleIDError) {
                let identity = try await apple.identityVerifier.verify(
                    body.identityToken,
                    expecting: IdentityExpectation(audiences: [Self.app], nonce: .issued(body.nonce)))
                let grant = try await apple.exchange(
                    code: AuthorizationCode(body.authorizationCode), client: Self.app, nonce: .proven(by: identity))
                return await memory.signIn(grant.identity.subject.rawValue)
            } catch {
                // Apple could not be asked, or nobody knows what became of the code.
                let isOutage = [.transient, .signInAgain].contains(error.kind)
                throw HTTPError(isOutage ? .serviceUnavailable : .unauthorized)
            }
        }
        router.post("apple/notifications") { request, _ -> HTTPResponse.Status in
            let body = Array(buffer: try await request.body.collect(upTo: 65_536))
            do throws(AppleIDError) {
                let notification = try await apple.notificationVerifier.verify(
                    body: body, expecting: NotificationExpectation(audiences: [Self.app]))
                switch notification.change {
                case .consentRevoked, .accountDeleted: await memory.forget(notification.event.subject.rawValue)
                default: break  // Mail forwarding was turned on or off, or Apple has added an event.
                }
                return .ok
            } catch {
                return error.kind == .token ? .badRequest : .serviceUnavailable
            }
        }
        return router
    }

    actor Memory {
        private var nonces: Set<String> = []
        private var people: Set<String> = []

        func issue(_ nonce: String) { nonces.insert(nonce) }
        func use(_ nonce: String) -> Bool { nonces.remove(nonce) != nil }
        func signIn(_ id: String) -> Person { Person(id: id, isNew: people.insert(id).inserted) }
        func forget(_ id: String) { people.remove(id) }
    }
}
// end

// guide
@Suite("The server of an app")
struct SignInServerTests {
    let clock = TestClock()
    let emulator: Emulator
    let transport: EmulatorTransport
    let server: SignInServer
    let notifications: AsyncStream<[UInt8]>

    init() async throws {
        let (notifications, mailbox) = AsyncStream.makeStream(of: [UInt8].self)
        self.notifications = notifications
        emulator = try await Emulator.forTests(
            clock: clock, configuration: EmulatorConfiguration(notificationURL: "https://juice.example.com/apple"),
            deliver: { request in
                mailbox.yield(Array(request.body.utf8))
                return 200
            })
        transport = EmulatorTransport(to: emulator)
        server = SignInServer(apple: try AppleIDClient(emulator: emulator, transport: transport, clock: clock))
    }

    /// The credential that the app sends after Apple's sheet.
    func credential(_ client: any TestClientProtocol) async throws -> ByteBuffer {
        let nonce = try await client.execute(uri: "/nonce", method: .post) { String(buffer: $0.body) }
        let authorization = try await emulator.authorize(client: SignInServer.app, nonce: nonce, native: true)
        let body = SignInServer.SignIn(
            identityToken: try #require(authorization.identityToken),
            authorizationCode: try #require(authorization.code).rawValue, nonce: nonce)
        return ByteBuffer(bytes: try JSONEncoder().encode(body))
    }

    func signIn(_ client: any TestClientProtocol, _ body: ByteBuffer) async throws -> TestResponse {
        try await client.execute(
            uri: "/sign-in", method: .post, headers: [.contentType: "application/json"], body: body)
    }

    @Test("a person signs in, and no credential works twice")
    func signIn() async throws {
        try await Application(router: server.router()).test(.router) { client in
            let credential = try await credential(client)
            #expect(try await signIn(client, credential).status == .ok)
            #expect(try await signIn(client, credential).status == .unauthorized)
        }
    }

    @Test("while Apple is unreachable, a sign-in fails, and isn't refused")
    func outage() async throws {
        try await Application(router: server.router()).test(.router) { client in
            transport.fail("/auth/token", with: .unreachable)
            let during = try await signIn(client, credential(client))
            #expect(during.status == .serviceUnavailable)
            transport.fail("/auth/token", with: nil)
            let after = try await signIn(client, credential(client))
            #expect(after.status == .ok)
        }
    }

    @Test("a person who stops using the app is forgotten")
    func stopsUsing() async throws {
        try await Application(router: server.router()).test(.router) { client in
            _ = try await signIn(client, credential(client))
            try await emulator.stopUsing(SignInServer.app)
            try await emulator.deliverNotifications()
            let body = try #require(await notifications.first { _ in true })
            let status = try await client.execute(
                uri: "/apple/notifications", method: .post, body: ByteBuffer(bytes: body)
            ) { $0.status }
            #expect(status == .ok)
            let again = try await signIn(client, credential(client))
            #expect(try JSONDecoder().decode(SignInServer.Person.self, from: Data(again.body.readableBytesView)).isNew)
        }
    }
}
// end
