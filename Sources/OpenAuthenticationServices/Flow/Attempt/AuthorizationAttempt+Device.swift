import AccountAPI
import AccountConnection
import Foundation

extension AuthorizationAttempt {
    /// Runs the flow with a code, which the person types in a browser on any device. Meanwhile the app polls the service (RFC
    /// 8628).
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
                case .answered(let status, let code, _, let details)
                where status == 429 || status >= 500 || code == .requestTimeout:
                    pace.waited(atLeast: details.retryAfter)
                    trouble = error
                case .unreachable:
                    // The network may come back while the person types the code.
                    pace.waited()
                    trouble = error
                default:
                    throw error
                }
            }
        }
        throw trouble ?? ASAuthorizationError(.canceled, reason: .expired)
    }

    /// Returns the seconds until a time. The service's clock and this one may differ, so a value that can't be right counts
    /// as the usual ten minutes.
    private func lifetime(until date: Date) -> TimeInterval {
        let lifetime = date.timeIntervalSince(time.now())
        return (30...3600).contains(lifetime) ? lifetime : 600
    }
}

/// The pauses between two requests for the credential.
///
/// A pause is a little longer than the service demands, because the clocks of virtual machines run fast. A `slow_down` adds
/// five seconds (RFC 8628, section 3.5), and makes later pauses longer still.
struct PollingPace: Hashable, Sendable {
    private var interval: Duration
    private var stretch = 1.2
    private var demanded: Duration?

    /// - Parameter seconds: the interval that the service demands; it is limited to between one and sixty seconds.
    init(seconds: Int) {
        interval = .seconds(min(max(seconds, 1), 60))
    }

    var pause: Duration {
        max(interval * stretch, demanded ?? .zero)
    }

    /// - Parameter demand: the pause that the last answer asked for.
    mutating func waited(atLeast demand: Duration? = nil) {
        demanded = demand
    }

    mutating func slowDown() {
        demanded = nil
        interval += .seconds(5)
        stretch = 1.4
    }
}
