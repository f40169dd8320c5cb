import AccountAPI
import AccountHTTP
import AccountService
import AppleIDEmulator
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

/// A system whose service is asked by its real routes, and to which the emulator sends what Apple would.
struct ServedSystem: Sendable {
    let system: TestSystem
    private let service: any TestClientProtocol
    private let post: NotificationPost

    static func run(
        on engine: Engine, logger: Logger = TestSystem.silence,
        _ test: @escaping @Sendable (ServedSystem) async throws -> Void
    ) async throws {
        let post = NotificationPost()
        let system = try await TestSystem(engine, post: post, logger: logger)
        try await system.order(
            "/emulator/notifications/address",
            ["clientID": TestSystem.juice.rawValue, "url": "https://juice.example.com/apple/notifications"])
        let application = try buildApplication(
            domain: system.domain,
            configuration: AccountHTTPConfiguration(appName: "Juice", emulatorURL: TestSystem.emulatorURL), port: 0,
            logger: TestSystem.silence)
        try await application.test(.router) { service in
            post.lead(to: service)
            // The service holds what asks the emulator, and the emulator what leads here: else nobody would let go.
            defer { post.lead(to: nil) }
            try await test(ServedSystem(system: system, service: service, post: post))
        }
    }

    /// Has the emulator send what it has to tell.
    /// - Returns: how everything so far was answered.
    func deliver() async throws -> [Int] {
        try await system.emulator.deliverNotifications()
        return post.statuses
    }

    // MARK: An app's calls

    func ask(
        _ method: HTTPRequest.Method, _ path: String, token: String? = nil, _ body: (any Encodable)? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.authorization] = token.map { "Bearer \($0)" }
        if body != nil { headers[.contentType] = "application/json" }
        return try await service.execute(
            uri: path, method: method, headers: headers,
            body: body.map { ByteBuffer(bytes: try JSONEncoder().encode($0)) })
    }

    func signIn(_ person: String = "johnny", hidesEmail: Bool = false) async throws -> SignInAnswer {
        let device = try await system.device(person: person, hidesEmail: hidesEmail)
        let answer = try await ask(
            .post, "/v1/sign-in/apple",
            NativeSignInRequest(
                identityToken: device.identityToken, authorizationCode: device.authorizationCode?.rawValue,
                nonce: device.nonce))
        try #require(answer.status == .ok, "\(String(buffer: answer.body))")
        return try answer.decode()
    }

    func refresh(_ session: SessionBody) async throws -> TestResponse {
        try await ask(.post, "/v1/session/refresh", RefreshRequest(refreshToken: session.refreshToken))
    }

    func account(_ session: SessionBody) async throws -> TestResponse {
        try await ask(.get, "/v1/account", token: session.accessToken)
    }

    // MARK: A browser's

    func page(_ path: String, cookie: String) async throws -> TestResponse {
        try await service.execute(
            uri: path, method: .get, headers: [.cookie: "__Host-siwa-session=\(cookie)"], body: nil)
    }
}

extension TestResponse {
    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body.readableBytesView))
    }

    /// The code in an error's envelope, or nil if the answer isn't an error.
    var errorCode: ErrorCode? { try? decode(ErrorEnvelope.self).error.code }
}
