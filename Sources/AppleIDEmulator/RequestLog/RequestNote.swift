import AppleIDTypes
import Synchronization

/// What is worth remembering of a request, collected while it is answered. Values that a client sent are not among it.
final class RequestNote: Sendable {
    /// Of the request that is being answered.
    @TaskLocal static var current: RequestNote?

    struct Content: Sendable {
        /// As sent; it is remembered only when a client has it.
        var clientID: String?
        var error: AppleErrorCode?
        /// The emulator's reason for the refusal, which Apple's response doesn't say.
        var reason: String?
        var parameters: Set<String> = []
        var faults: [Fault.Kind] = []
    }

    private let guarded = Mutex(Content())

    var content: Content { guarded.withLock { $0 } }

    func note(_ fields: FormFields) {
        guarded.withLock {
            $0.clientID = fields["client_id"]
            $0.parameters = fields.names.intersection(Self.knownParameters)
        }
    }

    func note(_ refusal: Refusal) {
        guarded.withLock {
            $0.error = refusal.code
            $0.reason = refusal.reason
        }
    }

    func add(_ fault: Fault.Kind) { guarded.withLock { $0.faults.append(fault) } }

    /// Names are remembered only when they are Apple's: anything could stand in another.
    private static let knownParameters: Set<String> = [
        "client_id", "client_secret", "code", "code_challenge", "code_challenge_method", "code_verifier", "frame_id",
        "grant_type", "m", "nonce", "redirect_uri", "refresh_token", "response_mode", "response_type", "scope", "state",
        "sub", "target", "token", "token_type_hint", "transfer_sub", "v",
    ]
}
