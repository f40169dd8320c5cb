import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import TaskSignals

/// An account service whose person signed in with a provider long ago. It refuses each change until they have proven who
/// they are at that provider.
final class StrictService: Sendable {
    private struct Content {
        var calls: [String] = []
        var isProven = false
        /// The authorization under way.
        var begun: BeginAuthorizationRequest?
        /// The call after which the service can't be reached any more.
        var lastCall: String?
    }

    private let content = Lock(Content())
    private let canned = CannedAccountService()
    private static let time = APITime(secondsSince1970: 1_767_225_600)

    static let backend = "https://accounts.example.com"
    /// The provider that opened the session.
    static let provider = "work"
    /// The calls that need a proof.
    private static let refusable: Set<String> = [
        "DELETE /v1/links/idn_apple", "POST /v1/link/other", "POST /v1/account/merge/preview", "DELETE /v1/account",
    ]

    /// The changes and the proofs that the service was asked for, the first one first.
    var changes: [String] {
        content.withLock { $0.calls }.filter { Self.refusable.contains($0) || $0.contains("reauthenticate") }
    }

    /// Can't be reached any more after this call.
    func goOffline(after call: String) {
        content.withLock { $0.lastCall = call }
    }

    /// The way to the service, for a client.
    var transport: ServiceTransport {
        ServiceTransport { [self] request in
            let call = "\(request.method) \(request.path)"
            let (isProven, isOver) = content.withLock { content in
                let isOver = content.lastCall.map { content.calls.contains($0) } ?? false
                content.calls.append(call)
                return (content.isProven, isOver)
            }
            if isOver { throw URLError(.notConnectedToInternet) }
            guard isProven || !Self.refusable.contains(call) else {
                let body = ErrorEnvelope.Body(code: .requiresRecentLogin, message: "no", requestID: "test")
                return try Self.json(ErrorEnvelope(body), status: 403)
            }
            return try await answer(to: call, request)
        }
    }

    private func answer(to call: String, _ request: ServiceRequest) async throws -> ServiceAnswer {
        switch call {
        case "POST /v1/sign-in/\(Self.provider)":
            return try Self.json(
                SignInAnswer(
                    account: Self.account,
                    session: SessionBody(accessToken: "access-1.0", expiresIn: 600, refreshToken: "refresh-1.0"),
                    isNewAccount: false))
        case "GET /v1/account": return try Self.json(AccountAnswer(account: Self.account))
        case "GET /v1/links", "POST /v1/link/other":
            return try Self.json(LinkListAnswer(links: [Self.link("apple"), Self.link(Self.provider)]))
        case "DELETE /v1/links/idn_apple":
            return try Self.json(
                UnlinkAnswer(links: [Self.link(Self.provider)], endsSession: false, manualRemoval: nil))
        case "POST /v1/account/merge/preview":
            return try Self.json(
                MergePreviewAnswer(
                    from: "acc_2", into: "acc_1",
                    moves: MergeMoves(links: [Self.link(Self.provider)], profile: [], consents: 0),
                    losses: MergeLosses(links: [], profile: [], sessions: 0), consent: nil, plan: "plan",
                    expiresAt: Self.time))
        case "POST /v1/account/merge":
            return try Self.json(MergeAnswer(from: "acc_2", account: Self.account, mergedAt: Self.time))
        case "POST /v1/reauthenticate/\(Self.provider)":
            content.withLock { $0.isProven = true }
            return try Self.json(
                ReauthenticationAnswer(authenticatedAt: Self.time, accessToken: "access-fresh", expiresIn: 600))
        case "POST /v1/authorizations": return try begin(request)
        case "POST /v1/authorizations/redeem": return try redeem()
        default: return try await canned.transport.send(request)
        }
    }

    // MARK: The person at a provider

    private func begin(_ request: ServiceRequest) throws -> ServiceAnswer {
        let begun = try JSONDecoder().decode(BeginAuthorizationRequest.self, from: request.body ?? Data())
        content.withLock { $0.begun = begun }
        return try Self.json(
            DeviceAuthorizationAnswer(
                deviceCode: "device-1", userCode: "BCDF-GHJK", verificationURL: "\(Self.backend)/device", interval: 5,
                expiresAt: APITime(secondsSince1970: Int64(Date.now.timeIntervalSince1970) + 600)))
    }

    /// The person signs in at the provider before the app asks.
    private func redeem() throws -> ServiceAnswer {
        let begun = content.withLock { $0.begun }
        let nonce = begun?.nonce ?? ""
        let claims = Data(#"{"sub":"person-1","nonce":"\#(nonce)"}"#.utf8).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return try Self.json(
            AuthorizationCredentialBody(
                user: "person-1", identityToken: "e30.\(claims).AA", authorizationCode: nil, email: nil,
                fullName: nil, scope: "name email", state: begun?.state))
    }

    // MARK: Values

    private static let account = AccountBody(
        id: "acc_1", name: nil, email: nil, emailVerified: false, isPrivateEmail: false, createdAt: time,
        waysIn: WaysInBody(apple: true, email: nil, hasPassword: false, providers: [provider]))

    private static func link(_ provider: String) -> LinkBody {
        LinkBody(
            id: "idn_\(provider)", provider: provider, team: nil, address: nil, isPrivateEmail: false,
            hasPassword: false, addedAt: time, lastSignInAt: time, current: provider == Self.provider)
    }

    private static func json(_ value: some Encodable, status: Int = 200) throws -> ServiceAnswer {
        ServiceAnswer(
            status: status, headers: ["Content-Type": "application/json"], body: try JSONEncoder().encode(value))
    }
}
