import AccountAPI
import Crypto
import Foundation
import TaskSignals

@testable import OpenAuthenticationServices

/// The network's end of a flow: answers as the wire has them, and a record of what was sent.
final class Wire: Sendable {
    typealias Script = @Sendable (_ call: Call) async throws -> ServiceAnswer

    /// One call, with what came before it.
    struct Call: Sendable {
        var request: ServiceRequest
        /// How many calls with this path came before.
        var earlier: Int
        /// The request that the flow began with.
        var begun: BeginAuthorizationRequest?

        func body<Body: Decodable>(_ type: Body.Type) throws -> Body {
            try JSONDecoder().decode(Body.self, from: request.body ?? Data())
        }
    }

    private struct Record {
        var requests: [ServiceRequest] = []
        var begun: BeginAuthorizationRequest?
        var watchers: [(path: String, call: OneShot<ServiceRequest>)] = []
    }

    private let record = Lock(Record())
    private let script: Script

    /// - Parameter script: for every call; ``standard(_:)`` answers as a service does whose person agrees at once.
    init(_ script: @escaping Script = { try Wire.standard($0) }) {
        self.script = script
    }

    var requests: [ServiceRequest] { record.withLock { $0.requests } }
    var paths: [String] { requests.map(\.path) }
    var begun: BeginAuthorizationRequest? { record.withLock { $0.begun } }

    /// The first call of this path, as soon as it is there.
    func first(_ path: String) async throws -> ServiceRequest {
        let call = OneShot<ServiceRequest>()
        record.withLock { record in
            if let request = record.requests.first(where: { $0.path == path }) {
                call.deliver(.success(request))
            } else {
                record.watchers.append((path, call))
            }
        }
        return try await call.value()
    }

    var transport: ServiceTransport {
        ServiceTransport { [self] request in
            let begun =
                request.path == "/v1/authorizations"
                ? try JSONDecoder().decode(BeginAuthorizationRequest.self, from: request.body ?? Data()) : nil
            let (call, watchers) = record.withLock { record in
                let earlier = record.requests.count { $0.path == request.path }
                record.requests.append(request)
                record.begun = begun ?? record.begun
                return (
                    Call(request: request, earlier: earlier, begun: record.begun),
                    record.watchers.filter { $0.path == request.path }
                )
            }
            watchers.forEach { $0.call.deliver(.success(request)) }
            return try await script(call)
        }
    }

    // Answers

    static let id = "aut_AAAAAAAAAAAAAAAAAAAAAA"
    static let user = "001234.abcdef0123456789.0123"
    static let page = "https://accounts.example/authorizations/\(id)"

    static func standard(_ call: Call, credential: (inout AuthorizationCredentialBody) -> Void = { _ in }) throws
        -> ServiceAnswer
    {
        switch call.request.path {
        case "/v1/authorizations" where call.begun?.redirectURI != nil:
            return try json(
                RedirectAuthorizationAnswer(
                    id: id, url: page, expiresAt: APITime(secondsSince1970: 1_800_000_600)))
        case "/v1/authorizations":
            return try json(deviceAnswer())
        case "/v1/authorizations/redeem":
            var body = self.credential(for: call.begun)
            credential(&body)
            return try json(body)
        default:
            return ServiceAnswer(status: 204)
        }
    }

    static func deviceAnswer(
        userCode: String = "BCDF-GHJK", verificationURL: String = "https://accounts.example/device", interval: Int = 5
    ) -> DeviceAuthorizationAnswer {
        DeviceAuthorizationAnswer(
            deviceCode: "device-code", userCode: userCode, verificationURL: verificationURL, interval: interval,
            expiresAt: APITime(secondsSince1970: 1_800_000_600))
    }

    static func credential(for begun: BeginAuthorizationRequest?) -> AuthorizationCredentialBody {
        AuthorizationCredentialBody(
            user: user, identityToken: identityToken(nonce: begun?.nonce), authorizationCode: "siwa_c1.code",
            email: nil, fullName: nil, scope: begun?.scope ?? "", state: begun?.state)
    }

    static func identityToken(sub: String? = user, nonce: String?, transferSubject: String? = nil) -> String {
        let claims = [
            "iss": "https://appleid.apple.com", "sub": sub, "nonce": nonce, "transfer_sub": transferSubject,
        ].compactMapValues(\.self)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let payload = (try? encoder.encode(claims)) ?? Data()
        return "\(Data(#"{"alg":"RS256"}"#.utf8).base64URL).\(payload.base64URL).c2ln"
    }

    static func json(_ body: some Encodable, status: Int = 200) throws -> ServiceAnswer {
        ServiceAnswer(
            status: status, headers: ["Content-Type": "application/json"], body: try JSONEncoder().encode(body))
    }

    static func refusal(_ status: Int, _ code: ErrorCode) throws -> ServiceAnswer {
        try json(
            ErrorEnvelope(.init(code: code, message: "a sentence for developers", requestID: "r-1")), status: status)
    }

    // Configurations

    /// One whose browser follows the service's page back to the app at once.
    /// - Parameter query: what the browser brings, without the id.
    func configuration(returning query: String = "handle=h4nd1e") -> AuthenticationServicesConfiguration {
        var configuration = configuration(.browser)
        configuration.browser = BrowserPresenter { [self] _ in
            let target = begun?.redirectURI ?? ""
            try await Self.follow("\(target)?\(query)&id=\(Self.id)")
        }
        return configuration
    }

    func configuration(_ flow: AuthenticationServicesConfiguration.Flow) -> AuthenticationServicesConfiguration {
        var configuration = AuthenticationServicesConfiguration(
            backend: URL(string: "https://accounts.example") ?? URL(filePath: "/"), app: "juice")
        configuration.flow = flow
        configuration.browser = .none
        configuration.transport = transport
        configuration.showDeviceCode = { _ in }
        return configuration
    }

    /// Goes to a page as a browser does, over a real connection.
    @discardableResult
    static func follow(_ url: String) async throws -> String {
        guard let url = URL(string: url), let host = url.host(), let port = url.port else { return "" }
        let target = url.path() + (url.query().map { "?\($0)" } ?? "")
        return try await RawConnection.exchange(
            "GET \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n", port: UInt16(port))
    }
}
