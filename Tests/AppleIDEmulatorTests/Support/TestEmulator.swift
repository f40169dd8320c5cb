import AppleIDTypes
import CryptoExtras
import Foundation
import HTTPTypes
import Logging
import TaskSignals
import Testing

@testable import AppleIDEmulator

/// An emulator in process, with a clock to turn, and requests in one line.
struct TestEmulator {
    /// 2026-01-01T00:00:00Z
    static let start: Int64 = 1_767_225_600
    static let callback = "http://localhost:4000/sign-in/apple/callback"

    /// One key for all: making an RSA key takes longer than any test.
    private static let signingKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation }

    let emulator: Emulator
    let clock: Clock

    init(
        portal: Portal? = TestPortal.portal,
        configure: (inout EmulatorConfiguration) -> Void = { _ in },
        deliver: (@Sendable (NotificationRequest) async throws -> Int)? = nil
    ) async throws {
        var configuration = EmulatorConfiguration()
        configuration.signingKey = try Self.signingKey.get()
        configure(&configuration)
        let clock = Clock()
        self.clock = clock
        emulator = try await Emulator(
            configuration: configuration, portal: portal,
            environment: EmulatorEnvironment(
                now: { clock.now }, randomBytes: EmulatorEnvironment.live.randomBytes, deliver: deliver),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    final class Clock: Sendable {
        private let seconds = Lock(TestEmulator.start)

        var now: Date { Date(timeIntervalSince1970: TimeInterval(seconds.withLock { $0 })) }

        func advance(_ by: Int64) { seconds.withLock { $0 += by } }
    }

    struct Answer {
        let status: Int
        let headers: HTTPFields
        let text: String

        var json: [String: any Sendable] {
            get throws {
                try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: any Sendable])
            }
        }

        var error: String? { try? json["error"] as? String }
    }

    // MARK: Requests

    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: [String: String] = [:], body: [UInt8] = [],
        authority: String? = "127.0.0.1:4010"
    ) async throws -> Answer {
        var request = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        for (name, value) in headers { request.headerFields[try #require(HTTPField.Name(name))] = value }
        let (response, body) = await emulator.respond(to: request, body: body)
        return Answer(
            status: response.status.code, headers: response.headerFields, text: String(decoding: body, as: UTF8.self))
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Answer {
        try await send(.get, path, headers: headers)
    }

    func post(_ path: String, form: [(String, String)]) async throws -> Answer {
        try await send(
            .post, path, headers: ["content-type": "application/x-www-form-urlencoded"],
            body: Array(Self.encoded(form).utf8))
    }

    /// A control call with the given members.
    func call(_ path: String, _ members: [String: any Sendable]) async throws -> Answer {
        try await send(
            .post, path, headers: ["content-type": "application/json"],
            body: Array(JSONSerialization.data(withJSONObject: members)))
    }

    func order(_ members: [String: any Sendable]) async throws -> Answer {
        try await call("/emulator/authorizations", members)
    }

    /// Johnny on the web, asking for everything, unless told otherwise.
    func authorize(_ changes: [String: any Sendable] = [:]) async throws -> [String: any Sendable] {
        var members: [String: any Sendable] = [
            "person": "johnny", "clientID": "com.example.juice.web", "scope": "name email",
        ]
        members.merge(changes) { _, new in new }
        let answer = try await order(members)
        #expect(answer.status == 200, "\(answer.text)")
        return try answer.json
    }

    /// The authorize address with parameters; a nil value takes one away.
    static func authorizePath(_ changes: [String: String?] = [:]) -> String {
        var parameters: [String: String] = [
            "client_id": "com.example.juice.web", "redirect_uri": callback, "response_type": "code id_token",
            "response_mode": "form_post", "scope": "name email", "state": "state-1", "nonce": "nonce-1",
        ]
        for (name, value) in changes { parameters[name] = value }
        return "/auth/authorize?" + encoded(parameters.sorted { $0.key < $1.key })
    }

    static func encoded(_ form: [(String, String)]) -> String {
        let allowed = CharacterSet(charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~")
        return form.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
        }.joined(separator: "&")
    }

    // MARK: The token endpoint

    /// Redeems a code as the seeded web client would; changes are made to the form, a nil value takes a field away.
    func redeem(_ code: String, _ changes: [String: String?] = [:]) async throws -> Answer {
        var form: [String: String] = [
            "grant_type": "authorization_code", "code": code, "client_id": "com.example.juice.web",
            "client_secret": try secret(), "redirect_uri": Self.callback,
        ]
        for (name, value) in changes { form[name] = value }
        return try await post("/auth/token", form: form.sorted { $0.key < $1.key })
    }

    func secret(_ change: (inout ClientSecret) -> Void = { _ in }) throws -> String {
        var secret = ClientSecret(now: TestEmulator.start)
        change(&secret)
        return try secret.text
    }
}
