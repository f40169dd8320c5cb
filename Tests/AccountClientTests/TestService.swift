import AccountAPI
import AccountClient
import Foundation
import TaskSignals

/// An account service at the other end of a transport: it answers as the real one does over the wire, and remembers
/// what it was asked. Tests replace single answers.
final class TestService: Sendable {
    typealias Handler = @Sendable (ServiceRequest) async throws -> ServiceAnswer
    typealias StreamHandler = @Sendable (ServiceRequest) async throws -> ServiceStream

    private struct Content {
        var requests: [ServiceRequest] = []
        var handlers: [String: Handler] = [:]
        var account = TestService.account
        var sessions = 0
        var streams: [StreamHandler] = []
    }

    private let content = Lock(Content())

    static let account = AccountBody(
        id: "acc_1", name: AccountName(givenName: "Ada", familyName: "Lovelace", formatted: "Ada Lovelace"),
        email: "ada@example.com", emailVerified: true, isPrivateEmail: false,
        createdAt: APITime(secondsSince1970: 1_700_000_000))

    var account: AccountBody {
        get { content.withLock { $0.account } }
        set { content.withLock { $0.account = newValue } }
    }

    /// Takes the place of the usual answer to `POST /v1/sign-in/apple` and the like.
    func on(_ call: String, _ handler: @escaping Handler) {
        content.withLock { $0.handlers[call] = handler }
    }

    /// Answers in turn; the last one again and again.
    func on(_ call: String, _ answers: Reply...) {
        let rest = Lock(answers)
        on(call) { request in
            let reply = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return try await reply.answer(self, request)
        }
    }

    var requests: [ServiceRequest] { content.withLock { $0.requests } }

    func requests(_ call: String) -> [ServiceRequest] {
        requests.filter { "\($0.method) \($0.path)" == call }
    }

    var transport: ServiceTransport {
        ServiceTransport { request in
            let handler = self.content.withLock { content in
                content.requests.append(request)
                return content.handlers["\(request.method) \(request.path)"]
            }
            if let handler { return try await handler(request) }
            return try self.usualAnswer(to: request)
        } stream: { request in
            let handler = self.content.withLock { content in
                content.requests.append(request)
                return content.streams.isEmpty ? nil : content.streams.removeFirst()
            }
            guard let handler else { throw URLError(.cannotConnectToHost) }
            return try await handler(request)
        }
    }

    /// Sets the next streams, one for each time that somebody opens one; afterwards none can be opened.
    func streams(_ streams: StreamHandler...) {
        content.withLock { $0.streams += streams }
    }

    /// A session's refresh tokens are `refresh-1.0`, `refresh-1.1`…; the same token is always exchanged for the same.
    func usualAnswer(to request: ServiceRequest) throws -> ServiceAnswer {
        switch "\(request.method) \(request.path)" {
        case "POST /v1/sign-in/apple":
            return try signIn()
        case "POST /v1/session/refresh":
            let body = try JSONDecoder().decode(RefreshRequest.self, from: request.body ?? Data())
            let parts = body.refreshToken.split(separator: "-")[1].split(separator: ".")
            let generation = (Int(parts[1]) ?? 0) + 1
            return try .json(200, RefreshAnswer(session: Self.session(String(parts[0]), generation: generation)))
        case "GET /v1/account": return try .json(200, AccountAnswer(account: account))
        case "PATCH /v1/account": return try changeProfile(request)
        case "DELETE /v1/session": return ServiceAnswer(status: 204)
        default: return try answerToSignedIn(request)
        }
    }

    /// Opens a session for the present account.
    func signIn() throws -> ServiceAnswer {
        let (number, account) = content.withLock { content in
            content.sessions += 1
            return (content.sessions, content.account)
        }
        return try .json(
            200, SignInAnswer(account: account, session: Self.session("\(number)", generation: 0), isNewAccount: true))
    }

    private func answerToSignedIn(_ request: ServiceRequest) throws -> ServiceAnswer {
        switch "\(request.method) \(request.path)" {
        case "GET /v1/apple/credential-state":
            // A refresh token is good for this only when Apple's word has ended the session.
            guard request.headers["Authorization"]?.hasPrefix("Bearer access-") == true else {
                return try .refusal(401, .accessTokenInvalid)
            }
            return try .json(200, CredentialStateAnswer(credentialState: "authorized"))
        case "POST /v1/challenges":
            return try .json(200, ChallengeAnswer(nonce: Self.challenge, expiresAt: Self.account.createdAt))
        case "POST /v1/reauthenticate/apple":
            return try .json(
                200,
                ReauthenticationAnswer(
                    authenticatedAt: APITime(secondsSince1970: 1_700_000_100), accessToken: "access-fresh",
                    expiresIn: 600))
        case "POST /v1/apple/revoke": return try .json(202, AppleRevocationAnswer(manualRemoval: nil))
        case "DELETE /v1/account", "POST /v1/account/delete":
            return try .json(202, AccountDeletionAnswer(handle: "del_secret", deletion: Self.deletion(.waiting)))
        default: return try answerToPasswords(request)
        }
    }

    static let challenge = "a-challenge-of-the-service-s-own"

    static func deletion(_ status: DeletionStatus, manualRemoval: AccountAPI.ManualRemoval? = nil) -> DeletionBody {
        DeletionBody(
            status: status, requestedAt: account.createdAt, finishedAt: status == .done ? account.createdAt : nil,
            manualRemoval: manualRemoval)
    }

    static func session(_ number: String, generation: Int) -> SessionBody {
        SessionBody(
            accessToken: "access-\(number).\(generation)", expiresIn: 600,
            refreshToken: "refresh-\(number).\(generation)")
    }
}

/// One answer of a ``TestService``.
struct Reply: Sendable {
    let answer: @Sendable (TestService, ServiceRequest) async throws -> ServiceAnswer

    static let usual = Self { service, request in try service.usualAnswer(to: request) }

    static func refusal(_ status: Int, _ code: ErrorCode) -> Self {
        Self { _, _ in try .refusal(status, code) }
    }

    static func unreachable(_ code: URLError.Code) -> Self {
        Self { _, _ in throw URLError(code) }
    }

    /// The service does its part, and its answer is lost.
    static let lost = unreachable(.networkConnectionLost)

    /// No answer until the caller gives up.
    static let silence = Self { _, _ in
        for await _ in AsyncStream<Never>.makeStream().stream {}
        throw CancellationError()
    }

    static func page(_ status: Int) -> Self {
        Self { _, _ in ServiceAnswer(status: status, body: Data("<html>".utf8)) }
    }
}

extension ServiceAnswer {
    static func json(_ status: Int, _ value: some Encodable) throws -> Self {
        Self(status: status, headers: ["Content-Type": "application/json"], body: try JSONEncoder().encode(value))
    }

    static func refusal(_ status: Int, _ code: ErrorCode) throws -> Self {
        try json(status, ErrorEnvelope(ErrorEnvelope.Body(code: code, message: "no", requestID: "r")))
    }
}

extension ServiceRequest {
    /// The body's members that are strings, or objects of such.
    var json: [String: Any] {
        (body.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]) ?? [:]
    }
}
