import AccountAPI
public import AccountConnection
import Foundation
import TaskSignals

/// An account service for the unit tests of an app: it answers the client's calls as the real one does, in memory.
///
/// ```swift
/// let service = CannedAccountService()
/// let client = AccountClient(backend: url, app: "juice", storage: MemoryStorage()) { $0.transport = service.transport }
/// let script = AuthorizationScript(.credential(user: "001999.f2a7", identityToken: "a token"))
/// let account = try await withAuthorizationScript(script) { try await client.signIn() }
/// ```
///
/// The service knows one person. Everybody who signs in is that person, whatever the credential says. It checks nothing, so
/// it tells nothing about your server: test that against the emulator.
public final class CannedAccountService: Sendable {
    private enum Reply: Sendable {
        case answer(ServiceAnswer)
        case unreachable
    }

    private struct Content {
        var requests: [ServiceRequest] = []
        /// The next replies to a call.
        var replies: [String: [Reply]] = [:]
        /// The reply to a call after those.
        var always: [String: Reply] = [:]
        var sessions = 0
        var isReachable = true
        var name: AccountName?
    }

    /// The identifier of the account.
    public static let accountID = "acc_1"

    private let content: Lock<Content>
    private let email: String?
    private static let created = APITime(secondsSince1970: 1_767_225_600)
    private static let deletion = DeletionBody(
        status: .done, requestedAt: created, finishedAt: created, manualRemoval: nil)

    /// Makes a service that knows one person.
    /// - Parameters:
    ///   - givenName: the person's given name; nil if the service doesn't know it.
    ///   - familyName: the person's family name; nil if the service doesn't know it.
    ///   - email: the address that Apple gave; nil for none.
    public init(
        givenName: String? = "Johnny", familyName: String? = "Appleseed", email: String? = "johnny@example.com"
    ) {
        let parts = [givenName, familyName].compactMap { $0 }
        var content = Content()
        if !parts.isEmpty {
            content.name = AccountName(
                givenName: givenName, familyName: familyName, formatted: parts.joined(separator: " "))
        }
        self.content = Lock(content)
        self.email = email
    }

    /// The transport for the client's configuration. It has no streams of events.
    public var transport: ServiceTransport {
        ServiceTransport { [self] request in try answer(to: request) }
    }

    /// The client's calls so far, the first one first.
    public var requests: [ServiceRequest] { content.withLock { $0.requests } }

    /// Whether the service can be reached. If it can't, each call fails like one without a network.
    public var isReachable: Bool {
        get { content.withLock { $0.isReachable } }
        set { content.withLock { $0.isReachable = newValue } }
    }

    /// Refuses a call from now on, with an error code of the service.
    /// - Parameters:
    ///   - call: method and path, such as `POST /v1/session/refresh`.
    ///   - status: the HTTP status that the error code has.
    ///   - code: for example `session_ended`.
    ///   - times: how often; nil for always. The usual answers come after that.
    public func refuse(_ call: String, status: Int, code: String, times: Int? = nil) throws {
        let envelope = ErrorEnvelope(
            ErrorEnvelope.Body(
                code: ErrorCode(rawValue: code), message: "The test refuses this call.", requestID: "test"))
        reply(try Self.json(status, envelope), to: call, times: times)
    }

    /// Answers a call from now on with JSON of your own, in place of the usual answer.
    /// - Parameters:
    ///   - call: method and path, such as `GET /v1/consents`.
    ///   - times: how often; nil for always. The usual answers come after that.
    public func answer(_ call: String, status: Int = 200, json: String, times: Int? = nil) {
        let answer = ServiceAnswer(
            status: status, headers: ["Content-Type": "application/json"], body: Data(json.utf8))
        reply(answer, to: call, times: times)
    }

    /// Loses the connection of a call: the next ones fail, and the usual answers come after that.
    /// - Parameter call: method and path, such as `POST /v1/sign-in/apple`.
    public func lose(_ call: String, times: Int = 1) {
        content.withLock { $0.replies[call] = Array(repeating: .unreachable, count: times) }
    }

    private func reply(_ answer: ServiceAnswer, to call: String, times: Int?) {
        content.withLock { content in
            content.always[call] = times == nil ? .answer(answer) : nil
            content.replies[call] = Array(repeating: .answer(answer), count: times ?? 0)
        }
    }

    private func answer(to request: ServiceRequest) throws -> ServiceAnswer {
        let call = "\(request.method) \(request.path)"
        let reply: Reply? = content.withLock { content in
            content.requests.append(request)
            guard content.isReachable else { return .unreachable }
            return content.replies[call]?.popLast() ?? content.always[call]
        }
        switch reply {
        case .answer(let answer): return answer
        case .unreachable: throw URLError(.notConnectedToInternet)
        case nil: return try usualAnswer(to: call, request)
        }
    }

    private func usualAnswer(to call: String, _ request: ServiceRequest) throws -> ServiceAnswer {
        switch call {
        case "POST /v1/sign-in/apple", "POST /v1/sign-in/password", "POST /v1/sign-in/link/finish",
            "POST /v1/sign-up/finish":
            let number = content.withLock { content in
                content.sessions += 1
                return content.sessions
            }
            return try Self.json(
                200, SignInAnswer(account: account, session: Self.session(number, 0), isNewAccount: number == 1))
        case "POST /v1/session/refresh":
            let (number, generation) = try Self.parse(request)
            return try Self.json(200, RefreshAnswer(session: Self.session(number, generation + 1)))
        case "GET /v1/account": return try Self.json(200, AccountAnswer(account: account))
        case "POST /v1/challenges":
            return try Self.json(
                200, ChallengeAnswer(nonce: "a-challenge-of-the-canned-service", expiresAt: Self.created))
        case "GET /v1/apple/credential-state":
            return try Self.json(200, CredentialStateAnswer(credentialState: "authorized"))
        case "POST /v1/reauthenticate/apple", "POST /v1/reauthenticate/password":
            return try Self.json(
                200,
                ReauthenticationAnswer(
                    authenticatedAt: Self.created, accessToken: "access-fresh", expiresIn: 600))
        case "DELETE /v1/account", "POST /v1/account/delete":
            return try Self.json(202, AccountDeletionAnswer(handle: "del_canned", deletion: Self.deletion))
        case "GET /v1/deletions/del_canned":
            return try Self.json(200, DeletionAnswer(deletion: Self.deletion))
        case "DELETE /v1/session": return ServiceAnswer(status: 204)
        default:
            let envelope = ErrorEnvelope(
                ErrorEnvelope.Body(
                    code: ErrorCode(rawValue: "not_found"), message: "The canned service has no answer to \(call).",
                    requestID: "test"))
            return try Self.json(404, envelope)
        }
    }

    private var account: AccountBody {
        AccountBody(
            id: Self.accountID, name: content.withLock { $0.name }, email: email, emailVerified: email != nil,
            isPrivateEmail: false, createdAt: Self.created)
    }

    private static func session(_ number: Int, _ generation: Int) -> SessionBody {
        SessionBody(
            accessToken: "access-\(number).\(generation)", expiresIn: 600,
            refreshToken: "refresh-\(number).\(generation)")
    }

    /// Reads the numbers in a refresh token of ``session(_:_:)``.
    private static func parse(_ request: ServiceRequest) throws -> (number: Int, generation: Int) {
        let token = try JSONDecoder().decode(RefreshRequest.self, from: request.body ?? Data()).refreshToken
        let numbers = token.split(separator: "-").last?.split(separator: ".").compactMap { Int($0) } ?? []
        return (numbers.first ?? 1, numbers.last ?? 0)
    }

    private static func json(_ status: Int, _ value: some Encodable) throws -> ServiceAnswer {
        ServiceAnswer(
            status: status, headers: ["Content-Type": "application/json"], body: try JSONEncoder().encode(value))
    }
}
