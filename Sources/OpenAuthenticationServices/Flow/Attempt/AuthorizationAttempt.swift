import AccountAPI
import AccountConnection
import Crypto
import Foundation
import TaskSignals

/// One authorization at the account service: chooses the flow, and checks its result.
struct AuthorizationAttempt: Sendable {
    let request: AppleIDRequestValues
    let configuration: AuthenticationServicesConfiguration
    let time: FlowTime
    /// The id of another provider than Apple; nil for Apple.
    let provider: String?
    let connection: ServiceConnection

    init(
        _ request: AppleIDRequestValues, _ configuration: AuthenticationServicesConfiguration, _ time: FlowTime,
        provider: String? = nil
    ) {
        self.provider = provider
        self.request = request
        self.configuration = configuration
        self.time = time
        connection = ServiceConnection(backend: configuration.backend, transport: configuration.transport)
    }

    func credential() async throws -> AppleIDCredentialValues {
        if let fault = BackendURL.fault(of: configuration.backend) {
            throw ASAuthorizationError(.notHandled, reason: .notConfigured, explanation: fault)
        }
        guard !configuration.app.isEmpty else {
            throw ASAuthorizationError(
                .notHandled, reason: .notConfigured, explanation: "The configuration does not name the app.")
        }
        let answer = try await answer()
        return try AnswerCheck(request: request, transferSubjectHash: await transferSubjectHash(for: answer))
            .values(in: answer)
    }

    /// Returns what the account service says of the person who was asked for, if the person has another id since the
    /// app moved. It is asked only where the answer is about another id.
    private func transferSubjectHash(for answer: AuthorizationCredentialBody) async -> String? {
        guard let user = request.user, user != answer.user else { return nil }
        guard let hash = configuration.existing?.transferSubjectHash else { return nil }
        return await hash(user)
    }

    private func answer() async throws -> AuthorizationCredentialBody {
        switch configuration.flow {
        case .device:
            return try await throughDevice()
        case .browser:
            do {
                return try await throughBrowser()
            } catch let error as NoWayThroughBrowser {
                throw ASAuthorizationError(.notInteractive, reason: .noBrowser, underlying: error.cause)
            }
        case .automatic:
            guard configuration.browser.isAvailable() else { return try await throughDevice() }
            do {
                return try await throughBrowser()
            } catch is NoWayThroughBrowser {
                return try await throughDevice()
            }
        }
    }

    /// - Parameter redirectURI: nil for the device flow.
    func beginning(redirectURI: String?, proof: ProofKey) -> BeginAuthorizationRequest {
        let words: [String] = request.requestedScopes.compactMap { scope in
            switch scope {
            case .fullName: "name"
            case .email: "email"
            default: nil
            }
        }
        return BeginAuthorizationRequest(
            app: configuration.app, redirectURI: redirectURI, codeChallenge: proof.challenge,
            scope: words.joined(separator: " "), nonce: request.nonce, state: request.state,
            provider: provider)
    }

    /// Cancels the authorization at the service, so that the browser's page says so. The service also ends it in time without
    /// this call. So this waits two seconds at most, and ignores a failure.
    func giveUp(_ cancellation: CancelAuthorizationRequest) async {
        let told = OneShot<Void>()
        // In a task of its own, since this one is usually cancelled.
        let telling = Task { [connection] in
            do throws(ServiceError) {
                try await connection.send("POST", "/v1/authorizations/cancel", body: cancellation)
                told.deliver()
            } catch {
                told.deliver(.failure(error))
            }
        }
        let alarm = Task { [time] in
            try await time.sleep(.seconds(2))
            telling.cancel()
            told.deliver(.failure(CancellationError()))
        }
        await told.waitDespiteCancellation()
        alarm.cancel()
    }
}

/// An error for a machine without a browser, or whose browser can't come back to the app.
struct NoWayThroughBrowser: Error {
    var cause: any Error
}

/// The secret with which an app proves at the redemption that it began the authorization. Without it, a stolen handle is
/// useless (RFC 7636, with S256).
struct ProofKey: Sendable {
    /// 32 random bytes as 43 base64url characters. The process doesn't send it before the redemption.
    let verifier: String

    init() {
        self.init(verifier: RandomText.make(byteCount: 32))
    }

    init(verifier: String) {
        self.verifier = verifier
    }

    var challenge: String {
        Data(SHA256.hash(data: Array(verifier.utf8))).base64URL
    }
}

/// Unguessable text from the system's random numbers.
enum RandomText {
    /// Makes base64url text without padding from the given number of random bytes.
    static func make(byteCount: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return Data((0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).base64URL
    }
}
