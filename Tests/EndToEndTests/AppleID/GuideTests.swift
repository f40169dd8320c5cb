import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Crypto
import Foundation
import Logging
import TaskSignals
import Testing

@Suite("The guide to the server library")
struct GuideTests {
    private let logger = Logger(label: "guide", factory: { _ in SwiftLogNoOpLogHandler() })

    @Test("sets up, sends a browser to Apple, and signs in from a device and from the web")
    func signIn() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let side = try await AppleSide()
        let configured = try GuideCode.setUp(pem: pem, transport: side.transport, logger: logger)
        #expect(configured.clients.count == 2)
        let (url, state) = try GuideCode.begin(apple: configured)
        #expect(url.contains("state=\(state)&nonce="))
        #expect(try GuideCode.read([("state", state), ("code", "c")], state: state)?.code == "c")
        #expect(try GuideCode.read([("state", "other"), ("code", "c")], state: state) == nil)

        let native = try await side.emulator.authorize(
            client: "com.example.juice", nonce: "n", native: true)
        let (token, code) = (try #require(native.identityToken), try #require(native.code))
        let identity = try await GuideCode.verify(token, nonce: "n", code: code, apple: side.client)
        #expect(identity.nonce == .matched)
        let lines = await GuideCode.explain(token, apple: side.client, nonce: "other")
        #expect(lines.contains { $0.hasPrefix("nonce: failed(nonce_mismatch)") })

        let uri = "http://localhost:4000/sign-in/apple/callback"
        var request = TestAuthorizationRequest(client: "com.example.juice.web")
        request.redirectURI = uri
        request.nonce = "n"
        let web = try await side.emulator.authorize(request)
        let grants = try await GuideCode.exchange(
            code, try #require(web.code), nonce: "n", redirectURI: uri, apple: side.client)
        #expect(Set(grants.map(\.identity.subject)) == [identity.subject])
    }

    @Test("ends sessions for a dead grant alone, revokes, and receives what Apple then tells")
    func ending() async throws {
        let side = try await AppleSide()
        let grant = try await side.signIn()
        let token = try #require(grant.refreshToken)
        let ended = Lock<[Subject]>([])
        func validate() async throws {
            try await GuideCode.validate(
                token, subject: grant.identity.subject, apple: side.client, logger: logger
            ) { subject in ended.withLock { $0.append(subject) } }
        }
        try await validate()
        side.transport.fail("/auth/token", with: .status(500))
        try await validate()
        side.transport.fail("/auth/token", with: nil)
        #expect(ended.withLock { $0 } == [])
        #expect(try await GuideCode.deleteAccount(token, apple: side.client).client == "com.example.juice")
        try await validate()
        #expect(ended.withLock { $0 } == [grant.identity.subject])

        let changes = Lock<[AccountChange]>([])
        for body in try await side.notifications() + [Array("{}".utf8)] {
            let status = try await GuideCode.receive(body: body, apple: side.client) { notification in
                changes.withLock { $0.append(notification.change) }
            }
            #expect(status == (body.count > 2 ? 200 : 400))
        }
        #expect(changes.withLock { $0 } == [.consentRevoked])
    }

    @Test("moves people to another team, and notes the people whom it can't move")
    func transfer() async throws {
        var portal = Portal.seeded()
        portal.teams.append(Portal.Team(id: "CIDERTEAM2", name: "Cider Makers", apps: []))
        let side = try await AppleSide(portal: portal)
        let subject = try await side.signIn().identity.subject
        try await side.control("/emulator/transfers", ["clientID": "com.example.juice", "team": "CIDERTEAM2"])
        let notes = Lock<[Subject: Subject?]>([:])
        try await GuideCode.send([subject, "000000.0.0000"], apple: side.client) { subject, transferSubject in
            notes.withLock { $0[subject] = .some(transferSubject) }
        }
        let noted = notes.withLock { $0 }
        #expect(noted["000000.0.0000"] == .some(nil))
        let bridge = try #require(noted[subject] ?? nil)
        let found = Lock<[Subject: TransferredPerson?]>([:])
        try await GuideCode.receive(
            ["000000.0.0000", bridge], apple: try side.client(of: "CIDERTEAM2")
        ) { transferSubject, person in
            found.withLock { $0[transferSubject] = .some(person) }
        }
        let people = found.withLock { $0 }
        #expect(people["000000.0.0000"] == .some(nil))
        let person = try #require(people[bridge] ?? nil)
        #expect(person.subject != subject)
    }
}
