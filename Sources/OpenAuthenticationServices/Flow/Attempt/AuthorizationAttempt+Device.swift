import AccountAPI
import AccountConnection
import Foundation

extension AuthorizationAttempt {
    /// The person types a code in a browser anywhere, and the app asks again and again (RFC 8628).
    func throughDevice() async throws -> AuthorizationCredentialBody {
        let proof = ProofKey()
        let begun: DeviceAuthorizationAnswer = try await connection.send(
            "POST", "/v1/authorizations", body: beginning(redirectURI: nil, proof: proof))
        guard !begun.deviceCode.isEmpty,
            let code = DeviceCode(
                showing: begun.userCode, at: begun.verificationURL, until: begun.expiresAt.date)
        else {
            throw ASAuthorizationError(
                .invalidResponse, reason: .unreadableAnswer,
                explanation: "The account service's answer has no code to show.")
        }
        let showing = Task { [configuration] in await configuration.showDeviceCode(code) }
        defer { showing.cancel() }
        do {
            return try await poll(begun, proof)
        } catch {
            if error is CancellationError || Task.isCancelled {
                await giveUp(CancelAuthorizationRequest(deviceCode: begun.deviceCode, codeVerifier: proof.verifier))
            }
            throw error
        }
    }

    private func poll(_ begun: DeviceAuthorizationAnswer, _ proof: ProofKey) async throws -> AuthorizationCredentialBody
    {
        let redemption = RedeemAuthorizationRequest(deviceCode: begun.deviceCode, codeVerifier: proof.verifier)
        let end = time.now().addingTimeInterval(lifetime(until: begun.expiresAt.date))
        var pace = PollingPace(seconds: begun.interval)
        var trouble: ServiceError?
        while time.now() < end {
            // It asks once more at the end: the person may have agreed meanwhile.
            try await time.sleep(min(pace.pause, .seconds(end.timeIntervalSince(time.now()))))
            do throws(ServiceError) {
                return try await connection.send("POST", "/v1/authorizations/redeem", body: redemption)
            } catch {
                trouble = nil
                switch error {
                case .answered(_, .authorizationPending, _, _):
                    pace.waited()
                case .answered(_, .slowDown, _, _):
                    pace.slowDown()
                case .answered(let status, _, _, let details) where status == 429 || status >= 500:
                    pace.waited(atLeast: details.retryAfter)
                    trouble = error
                case .unreachable:
                    // A network that comes and goes is no reason to throw away what the person is typing.
                    pace.waited()
                    trouble = error
                default:
                    throw error
                }
            }
        }
        throw trouble ?? ASAuthorizationError(.canceled, reason: .expired)
    }

    /// Seconds. The service's clock and this one's may differ; what cannot be right is taken for the usual ten minutes.
    private func lifetime(until date: Date) -> TimeInterval {
        let lifetime = date.timeIntervalSince(time.now())
        return (30...3600).contains(lifetime) ? lifetime : 600
    }
}

/// How long an app waits before it asks for the credential again.
///
/// A little more than the service demands, because the clocks of virtual machines run fast; more still after a
/// `slow_down`, which also adds five seconds (RFC 8628, section 3.5).
struct PollingPace: Hashable, Sendable {
    private var interval: Duration
    private var stretch = 1.2
    private var demanded: Duration?

    /// - Parameter seconds: what the service says; less than a second or more than a minute is taken for that.
    init(seconds: Int) {
        interval = .seconds(min(max(seconds, 1), 60))
    }

    var pause: Duration {
        max(interval * stretch, demanded ?? .zero)
    }

    /// - Parameter demand: what the service asked for with the last answer.
    mutating func waited(atLeast demand: Duration? = nil) {
        demanded = demand
    }

    mutating func slowDown() {
        demanded = nil
        interval += .seconds(5)
        stretch = 1.4
    }
}
