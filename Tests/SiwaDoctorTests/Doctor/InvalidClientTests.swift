import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Crypto
import Foundation
import HTTPTypes
import Testing

@testable import SiwaDoctor

/// Each cause of Apple's `invalid_client`, made at the emulator, and told by Apple's word alone: the emulator's
/// sentences are switched off in one run of each.
@Suite("siwa doctor distinguishes the causes of invalid_client")
struct InvalidClientTests {
    @Test("right settings cause no finding", arguments: [true, false])
    func right(bare: Bool) async throws {
        let findings = try await Examined().findings(bare: bare)
        #expect(findings.areGood, "\(findings.map(\.text))")
        #expect(findings.filter { $0.name == "client" && $0.outcome == .passed }.count == 2)
    }

    @Test("a Services ID that Apple does not know: the authorization tells, without the key", arguments: [true, false])
    func unknownService(bare: Bool) async throws {
        var examined = try Examined()
        examined.settings.servicesIDs = ["com.example.juice.wed"]
        let findings = try await examined.findings(bare: bare)
        #expect(findings.codes == ["invalid_client", "client_unknown"])
        #expect(findings.causes(of: "com.example.juice.wed") == ["client_unknown"])
    }

    @Test("a bundle id that Apple does not know, beside a client that it accepts", arguments: [true, false])
    func unknownApp(bare: Bool) async throws {
        var examined = try Examined()
        examined.settings.bundleIDs.append("com.example.cider")
        let findings = try await examined.findings(bare: bare)
        #expect(findings.codes == ["invalid_client"])
        #expect(findings.causes(of: "com.example.cider") == ["client_unknown", "key_of_another_group"])
    }

    @Test("a bundle id where a Services ID belongs", arguments: [true, false])
    func wrongKind(bare: Bool) async throws {
        var examined = try Examined()
        examined.settings.bundleIDs = []
        examined.settings.servicesIDs = [Examined.app]
        #expect(try await examined.findings(bare: bare).codes == ["not_a_services_id"])
    }

    @Test("a Key ID that is another than the file's name says", arguments: [true, false])
    func keyID(bare: Bool) async throws {
        var examined = try Examined()
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            .appending(path: "AuthKey_\(try #require(examined.settings.keyID)).p8")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: file.deletingLastPathComponent()) }
        try Data(try #require(examined.settings.pem).utf8).write(to: file)
        examined.settings.pem = nil
        examined.settings.keyFile = file.path
        #expect(try await examined.findings(bare: bare).areGood)
        examined.settings.keyID = "OTHERKEY01"
        let findings = try await examined.findings(bare: bare)
        #expect(findings.contains { $0.code == "key_id_not_of_file" })
        #expect(findings.codes == ["invalid_client", "invalid_client"])
        #expect(findings.causes(of: Examined.service).first == "key_id_wrong")
    }

    /// Expects a finding for causes that Apple's answers cannot tell apart: the portal has to be looked at.
    private func expectKeyTrouble(_ cause: String, _ examined: Examined, bare: Bool) async throws {
        let findings = try await examined.findings(bare: bare)
        #expect(findings.codes == ["invalid_client", "invalid_client"])
        let causes = findings.causes(of: Examined.service)
        #expect(causes.contains(cause))
        #expect(!causes.contains("client_unknown"), "the authorization knows the client")
        let causesOfApp = findings.causes(of: Examined.app)
        #expect(causesOfApp.contains(cause))
        #expect(causesOfApp.last == "client_unknown", "what both clients share is likelier")
    }

    @Test("the file of another key", arguments: [true, false])
    func keyFile(bare: Bool) async throws {
        var examined = try Examined()
        examined.settings.pem = P256.Signing.PrivateKey().pemRepresentation
        try await expectKeyTrouble("key_file_of_another_key", examined, bare: bare)
    }

    @Test("a key that was revoked", arguments: [true, false])
    func revoked(bare: Bool) async throws {
        var examined = try Examined()
        examined.portal.teams[0].apps[0].keys = [.generated(id: "NEWKEY0001")]
        try await expectKeyTrouble("key_revoked", examined, bare: bare)
    }

    @Test("the wrong Team ID", arguments: [true, false])
    func team(bare: Bool) async throws {
        var examined = try Examined()
        examined.settings.team = "OTHERTEAM1"
        try await expectKeyTrouble("team_id_wrong", examined, bare: bare)
    }

    @Test("a Team ID of the wrong form is the first cause that is listed", arguments: [true, false])
    func teamForm(bare: Bool) async throws {
        var examined = try Examined()
        examined.settings.team = "Juice Makers"
        let findings = try await examined.findings(bare: bare)
        #expect(findings.contains { $0.code == "team_id_form" })
        #expect(findings.causes(of: Examined.service).first == "team_id_wrong")
    }

    @Test("a key of another group of apps", arguments: [true, false])
    func group(bare: Bool) async throws {
        var examined = try Examined()
        examined.portal.teams[0].apps.append(
            Portal.App(id: "com.example.cider", name: "Cider", keys: [.generated(id: "CIDERKEY01")]))
        examined.settings.bundleIDs = [Examined.app, "com.example.cider"]
        let findings = try await examined.findings(bare: bare)
        #expect(findings.causes(of: "com.example.cider").contains("key_of_another_group"))
        #expect(!findings.causes(of: "com.example.cider").contains("key_revoked"))
    }

    @Test("a clock that is wrong, either way", arguments: [-86_400, 86_400] as [TimeInterval])
    func clock(ahead: TimeInterval) async throws {
        var examined = try Examined()
        examined.clockAhead = ahead
        let findings = try await examined.findings()
        #expect(findings.codes == ["clock_wrong", "invalid_client", "invalid_client"])
        #expect(findings.causes(of: Examined.service).first == "clock_wrong")
    }

    @Test(
        "Apple's own time rules out a wrong clock, and an emulator's time doesn't",
        arguments: [true, false])
    func clockOfApple(isApple: Bool) async throws {
        var examined = try Examined()
        if isApple { examined.settings.server = .apple }
        examined.settings.pem = P256.Signing.PrivateKey().pemRepresentation
        let causes = try await examined.findings().causes(of: Examined.service)
        #expect(causes.contains("key_file_of_another_key"))
        #expect(causes.contains("clock_wrong") == !isApple)
    }

    @Test("a return URL that is not registered, while the client is accepted", arguments: [true, false])
    func returnURL(bare: Bool) async throws {
        var examined = try Examined()
        examined.settings.returnURL = "https://other.example.com/sign-in/apple/callback"
        #expect(try await examined.findings(bare: bare).codes == ["return_url_not_registered"])
        examined.behaviour.unregisteredRedirect = .unauthorizedClient
        #expect(try await examined.findings(bare: bare).codes == ["return_url_not_registered"])
    }

    struct Sent: CustomTestStringConvertible, Sendable {
        let cause: String
        /// Apple's word for it.
        var code: AppleErrorCode = .invalidClient
        /// The emulator's reason.
        let words: String
        var clientID = Examined.service
        /// The code in the form, as it is written here.
        var sentCode: String?
        var redirectURI = "https://juice.example.com/sign-in/apple/callback"
        var testDescription: String { cause }
    }

    @Test(
        "wrong values beside a good secret: the secret is accepted, with hints",
        arguments: [
            Sent(cause: "body_not_encoded", words: "a parameter is not percent-encoded", sentCode: "a b"),
            Sent(cause: "client_id_differs", words: "sub must equal client_id", clientID: Examined.app),
            Sent(
                cause: "redirect_uri_differs", code: .invalidGrant,
                words: "the redirect_uri is not the one of the authorization request",
                redirectURI: "https://juice.example.com/other"),
        ])
    func sentBesideTheSecret(_ sent: Sent) async throws {
        var examined = try Examined()
        let key = try P256.Signing.PrivateKey(pemRepresentation: try #require(examined.settings.pem))
        let now = Int64(TestClock().now.timeIntervalSince1970)
        var secret = HandmadeSecret(team: "JUICETEAM1", client: Examined.service.rawValue, key: key, now: now)
        secret.header["kid"] = examined.settings.keyID?.rawValue
        examined.settings.clientSecret = try secret.text()
        let findings = try await examined.findings()
        #expect(findings.areGood, "\(findings.map(\.text))")
        #expect(findings.contains { $0.hints.contains { $0.cause == sent.cause } })

        let emulator = try await Emulator.forTests(portal: examined.portal)
        let code = try await emulator.authorize(client: Examined.service).code
        let form =
            "client_id=\(sent.clientID)&client_secret=\(try secret.text())&grant_type=authorization_code"
            + "&code=\(sent.sentCode ?? code?.rawValue ?? "")&redirect_uri=\(sent.redirectURI.replacing("/", with: "%2F").replacing(":", with: "%3A"))"
        let answer = try await EmulatorTransport(to: emulator).send(
            AppleRequest(
                method: .post, url: "http://127.0.0.1:4010/auth/token",
                headerFields: [.contentType: "application/x-www-form-urlencoded"], body: Array(form.utf8)))
        guard case .refused(sent.code, _) = AppleAnswer(answer) else {
            Issue.record("\(AppleAnswer(answer))")
            return
        }
        let reason = answer.head.headerFields.first { $0.name.canonicalName == "siwa-emulator-reason" }?.value
        #expect(reason?.contains(sent.words) == true)
    }

    private static func json(_ status: Int, _ body: String) -> AppleResponse {
        AppleResponse(
            status: HTTPResponse.Status(code: status), headerFields: [.contentType: "application/json;charset=UTF-8"],
            body: Array(body.utf8))
    }

    /// Returns Apple's answer to public tests that send a nonsense client, secret, and code or token.
    private static func recorded(_ form: String) -> AppleResponse {
        let word = form.contains("grant_type=refresh_token") ? "token" : "code"
        return json(
            400,
            #"{"error":"invalid_grant","error_description":"The \#(word) has expired or has been revoked."}"#)
    }

    @Test("a server that checks the grant before the client doesn't prove the key")
    func grantFirst() async throws {
        var examined = try Examined()
        examined.settings.pem = P256.Signing.PrivateKey().pemRepresentation
        examined.tokenEndpoint = { form in
            form.contains("grant_type=client_credentials")
                ? Self.json(400, #"{"error":"invalid_client"}"#) : Self.recorded(form)
        }
        let findings = try await examined.findings()
        #expect(findings.codes == ["invalid_client", "invalid_client"])
        #expect(!findings.contains { $0.name == "client" && $0.outcome == .passed })
    }

    @Test(
        "an answer that can come before Apple checks the client leaves it unknown",
        arguments: [
            #"{"error":"invalid_grant","error_description":"The code has expired or has been revoked."}"#,
            #"{"error":"invalid_grant"}"#, #"{"error":"invalid_scope"}"#, #"{"error":"unsupported_grant_type"}"#,
        ])
    func unknown(body: String) async throws {
        var examined = try Examined()
        examined.tokenEndpoint = { _ in Self.json(400, body) }
        let findings = try await examined.findings()
        let clients = findings.filter { $0.name == "client" }
        #expect(clients.map(\.outcome) == [.warned, .warned])
        #expect(clients.map(\.code) == ["client_not_told", "client_not_told"])
    }

    @Test(
        "a 200 without an access token counts as no answer",
        arguments: ["", "<html></html>", "{}", #"{"access_token":""}"#])
    func noToken(body: String) async throws {
        var examined = try Examined()
        examined.tokenEndpoint = { _ in Self.json(200, body) }
        #expect(try await examined.findings().codes == ["no_answer", "no_answer"])
    }

    struct Handed: CustomTestStringConvertible, Sendable {
        let code: String
        let change: @Sendable (inout HandmadeSecret) -> Void
        var testDescription: String { code }

        init(_ code: String, _ change: @escaping @Sendable (inout HandmadeSecret) -> Void) {
            self.code = code
            self.change = change
        }
    }

    @Test(
        "a secret that was made elsewhere: its faults, and Apple's refusal",
        arguments: [
            Handed("secret_algorithm") { $0.header["alg"] = "HS256" },
            Handed("secret_key_id_missing") { $0.header["kid"] = nil },
            Handed("secret_issuer_missing") { $0.claims["iss"] = nil },
            Handed("secret_wrong_team") { $0.claims["iss"] = "OTHERTEAM1" },
            Handed("secret_subject_has_team") { $0.claims["sub"] = "JUICETEAM1.com.example.juice.web" },
            Handed("secret_wrong_client") { $0.claims["sub"] = "com.example.nobody" },
            Handed("secret_audience") { $0.claims["aud"] = "appleid.apple.com" },
            Handed("secret_expiry_missing") { $0.claims["exp"] = nil },
            Handed("secret_expired") { $0.claims["exp"] = 1_767_225_599 },
            Handed("secret_expires_too_late") { $0.claims["exp"] = 1_767_225_600 + 15_777_001 },
            Handed("secret_issued_at_missing") { $0.claims["iat"] = nil },
            Handed("secret_from_the_future") { $0.claims["iat"] = 1_767_225_600 + 120 },
            Handed("secret_signature_der") { $0.isDER = true },
            Handed("secret_signature_wrong") { $0.key = P256.Signing.PrivateKey() },
        ])
    func handed(_ example: Handed) async throws {
        var examined = try Examined()
        let key = try P256.Signing.PrivateKey(pemRepresentation: try #require(examined.settings.pem))
        let now = Int64(TestClock().now.timeIntervalSince1970)
        var secret = HandmadeSecret(team: "JUICETEAM1", client: Examined.service.rawValue, key: key, now: now)
        secret.header["kid"] = examined.settings.keyID?.rawValue
        example.change(&secret)
        examined.settings.clientSecret = try secret.text()
        #expect(try await examined.findings().codes == [example.code, "invalid_client"])
    }

    @Test(
        "a text that isn't a secret, as after a key file that couldn't be read", arguments: ["", "undefined", "a.b.c"])
    func empty(text: String) async throws {
        var examined = try Examined()
        examined.settings.clientSecret = text
        #expect(try await examined.findings().codes == [text.isEmpty ? "secret_empty" : "secret_malformed"])
    }
}
