import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@Suite("The methods for control calls")
struct ControlMethodTests {
    private static let app: ClientID = "com.example.juice"

    /// Calls that a browser or a generator of clients makes, and those that the emulator has methods for.
    private static let others: Set<String> = [
        "GET /emulator/openapi.json", "GET /emulator/requests/page", "GET /emulator/portal",
        "POST /emulator/notifications/address",
    ]

    private func signIn(_ emulator: Emulator, hidesEmail: Bool = false) async throws -> TestAuthorization {
        try await emulator.authorize(client: Self.app, hidesEmail: hidesEmail, native: true)
    }

    @Test("make each control call of the emulator")
    func complete() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/AppleIDTesting").standardizedFileURL
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var text = ""
        for case let file as URL in files where file.pathExtension == "swift" {
            text += try String(contentsOf: file, encoding: .utf8)
        }
        let calls = EmulatorRoute.all.filter { $0.access == .control }
            .map { "\($0.method.rawValue) \($0.path)" }.filter { !Self.others.contains($0) }
        #expect(calls.count > 40)
        for call in calls {
            let (method, path) = (call.prefix { $0 != " " }.lowercased(), call.drop { $0 != " " }.dropFirst())
            let written = ".\(method), \"\(path.replacing("{id}", with: "\\(id)"))\""
            #expect(text.contains(written), "\(call) has no method")
        }
    }

    @Test("do what people do in the settings of their Apple Account")
    func people() async throws {
        let clock = TestClock()
        let emulator = try await Emulator.forTests(clock: clock)
        let apple = try AppleIDClient(emulator: emulator, transport: EmulatorTransport(to: emulator), clock: clock)
        #expect(try await emulator.grants().isEmpty)
        let code = try #require(try await signIn(emulator, hidesEmail: true).code)
        let grant = try await apple.exchange(code: code, client: Self.app, nonce: .noneSent)
        let listed = try #require(try await emulator.grants().first)
        #expect(listed.subject == grant.identity.subject)
        #expect(listed.forwarding == true)
        #expect(listed.created == clock.now)
        try await emulator.setForwarding(false, for: Self.app)
        #expect(try await emulator.grants().first?.forwarding == false)
        #expect(try await emulator.credentialState(of: listed.subject, for: Self.app) == "authorized")

        try await emulator.stopUsing(Self.app)
        #expect(try await emulator.grants().isEmpty)
        #expect(try await emulator.credentialState(of: listed.subject, for: Self.app) == "revoked")
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await apple.refresh(
                try #require(grant.refreshToken), client: Self.app, subject: grant.identity.subject)
        }
        let error = await #expect(throws: ControlRefused.self) { try await emulator.stopUsing("com.example.none") }
        #expect(error?.code == "invalid_client")

        _ = try await signIn(emulator)
        try await emulator.changePassword()
        try await emulator.deleteAppleAccount()
        #expect(!emulator.portal.people.contains { $0.id == "johnny" })
        try await emulator.reset()
        #expect(try await emulator.notifications().notifications.isEmpty)
    }

    @Test("move the emulator's clock, change its keys, and keep its state")
    func state() async throws {
        let clock = TestClock()
        let emulator = try await Emulator.forTests(clock: clock)
        try await emulator.advance(by: .seconds(301))
        #expect(try await emulator.time() == clock.now.addingTimeInterval(301))
        try await emulator.setTime(Date(timeIntervalSince1970: 1_800_000_000))
        #expect(try await emulator.time() == Date(timeIntervalSince1970: 1_800_000_000))
        try await emulator.freezeTime()
        try await emulator.resetTime()
        #expect(try await emulator.time() == clock.now)

        let keys = try await emulator.signingKeys()
        let rotated = try await emulator.rotateKeys()
        #expect(rotated.signing != keys.signing)
        #expect(rotated.published.contains(keys.signing))
        #expect(try await emulator.retireKeys().published == [rotated.signing])

        var behaviour = try await emulator.behaviour()
        behaviour.redirectMismatch = .invalidClient
        try await emulator.setBehaviour(behaviour)
        #expect(try await emulator.quirks().contains("redirect-mismatch-is-invalid-client"))
        try await emulator.setQuirks([])
        #expect(try await emulator.quirks().isEmpty)

        let empty = try await emulator.snapshot()
        _ = try await signIn(emulator)
        #expect(try await emulator.grants().count == 1)
        try await emulator.restore(empty)
        #expect(try await emulator.grants().isEmpty)
        #expect(!"\(empty)".contains("PRIVATE"))
    }

    @Test("send, hold and repeat notifications")
    func notifications() async throws {
        let configuration = EmulatorConfiguration(notificationURL: "https://juice.example.com/apple")
        let emulator = try await Emulator.forTests(configuration: configuration, deliver: { _ in 200 })
        _ = try await signIn(emulator)
        try await emulator.holdNotifications()
        let held = try await emulator.sendNotification("email-disabled", to: Self.app)
        #expect(held.state == "held")
        #expect(held.payload.split(separator: ".").count == 3)
        #expect(try await emulator.notifications().held)
        try await emulator.releaseNotification(held.id)
        try await emulator.releaseNotifications()
        try await emulator.deliverNotifications()
        #expect(try await emulator.notifications().notifications.first?.attempts.first?.status == 200)
        _ = try await emulator.replayNotification(held.id)
        try await emulator.deliverNotifications()
        #expect(try await emulator.notifications().notifications.allSatisfy { $0.state == "delivered" })
    }

    @Test("configure faults, and read the request log")
    func faults() async throws {
        let emulator = try await Emulator.forTests()
        let transport = EmulatorTransport(to: emulator)
        var outage = TestFault("outage", at: "keys", times: 1)
        outage.status = 503
        let ordered = try await emulator.order(outage)
        #expect(ordered.remaining == 1)
        let request = AppleRequest(method: .get, url: "http://127.0.0.1:4010/auth/keys")
        #expect(try await transport.send(request).status == 503)
        #expect(try await transport.send(request).status == 200)
        let asked = try await emulator.requests()
        #expect(asked.map(\.path) == ["/auth/keys", "/auth/keys"])
        #expect(asked.contains { $0.faults.contains("outage") })
        _ = try await emulator.order(TestFault("latency"))
        try await emulator.clearFaults()
        #expect(try await emulator.faults().isEmpty)
        try await emulator.clearRequests()
        #expect(try await emulator.requests().isEmpty)
        await #expect(throws: ControlRefused.self) { try await emulator.order(TestFault("no-such-fault")) }
    }

    @Test("change the portal, and transfer an app")
    func portal() async throws {
        let emulator = try await Emulator.forTests()
        try await emulator.put(Portal.Team(id: "CIDERTEAM2", name: "Cider Makers", apps: []))
        try await emulator.put(Portal.App(id: "org.example.cider", name: "Cider"), in: "CIDERTEAM2")
        let service = Portal.Service(
            id: "org.example.cider.web", domains: ["cider.example.org"],
            returnURLs: ["https://cider.example.org/back"])
        try await emulator.put(service, in: "org.example.cider")
        let key = try await emulator.makeKey(for: "org.example.cider")
        #expect(key.privateKey.contains("PRIVATE KEY"))
        try await emulator.put(Portal.Person(id: "ann", email: "ann@example.com", name: "Ann Example"))
        #expect(try await emulator.authorize(person: "ann", client: "org.example.cider.web").code != nil)

        let transfer = try await emulator.transfer(Self.app, to: "CIDERTEAM2")
        #expect(transfer.from == "JUICETEAM1" && transfer.end > transfer.accepted)
        #expect(try await emulator.transfers() == [transfer])

        try await emulator.remove(key: key.id)
        try await emulator.put(key, for: "org.example.cider")
        try await emulator.remove(service: "org.example.cider.web")
        try await emulator.remove(person: "ann")
        try await emulator.remove(app: "org.example.cider")
        await #expect(throws: ControlRefused.self) { try await emulator.remove(team: "NOTEAM0000") }
    }

    @Test("send and read mail")
    func mail() async throws {
        let emulator = try await Emulator.forTests()
        let source = Portal.EmailSource(source: "juice.example.com", verified: true)
        let registered = try await emulator.register(source, for: "JUICETEAM1")
        #expect(registered.verified && registered.source == "juice.example.com")
        #expect(try await emulator.emailSources().count == 1)
        _ = try await signIn(emulator, hidesEmail: true)
        let relay = try #require(try await emulator.grants().first?.email)
        let reply = try await emulator.sendMail(
            from: "hello@juice.example.com", to: [relay], subject: "Welcome", text: "Open https://juice.example.com/a")
        #expect(reply.accepted, "\(reply.reply)")
        let listed = try #require(try await emulator.mails(of: "johnny").first)
        #expect(listed.subject == "Welcome")
        let mail = try await emulator.mail(listed.id)
        #expect(mail.links == ["https://juice.example.com/a"])
        #expect(String(decoding: try await emulator.mailSource(listed.id), as: UTF8.self).contains("Subject: Welcome"))
        try await emulator.deleteMail(listed.id)
        try await emulator.deleteMails(of: "johnny")
        #expect(try await emulator.mails().isEmpty)
        try await emulator.remove(emailSource: "juice.example.com", of: "JUICETEAM1")
        #expect(try await emulator.emailSources().isEmpty)
    }

    @Test("authorize as an app on a device does")
    func device() async throws {
        let emulator = try await Emulator.forTests()
        var request = TestDeviceRequest(client: Self.app)
        request.state = "s"
        request.name = ("Jo", "")
        let credential = try await emulator.authorizeOnDevice(request)
        #expect(credential.state == "s")
        #expect(credential.fullName?.givenName == "Jo")
        #expect(credential.identityToken.split(separator: ".").count == 3)
        request.cancels = true
        let error = await #expect(throws: TestDeviceError.self) { try await emulator.authorizeOnDevice(request) }
        #expect(error?.name == "canceled")
    }
}
