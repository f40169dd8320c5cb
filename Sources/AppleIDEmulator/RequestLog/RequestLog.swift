import AppleIDTypes
import TaskSignals

/// The last requests to Apple's addresses and to the pages, oldest first.
final class RequestLog: Sendable {
    struct Entry: Sendable {
        var id: Int64 = 0
        /// Seconds since 1970, by the emulator's clock.
        let at: Int64
        let method: String
        let path: String
        let status: Int
        let milliseconds: Int64
        let clientID: String?
        let error: String?
        let reason: String?
        let parameters: [String]
        let faults: [String]
    }

    let capacity: Int

    private struct Guarded {
        var entries: [Entry] = []
        var count: Int64 = 0
    }

    private let guarded = Lock(Guarded())

    init(capacity: Int = 500) {
        self.capacity = capacity
    }

    var entries: [Entry] { guarded.withLock { Array($0.entries.suffix(capacity)) } }

    func add(_ entry: Entry) {
        guarded.withLock { guarded in
            guarded.count += 1
            var entry = entry
            entry.id = guarded.count
            // Dropped in bulk, so that a full log costs no more than an empty one.
            if guarded.entries.count >= 2 * capacity { guarded.entries.removeFirst(capacity) }
            guarded.entries.append(entry)
        }
    }

    func clear() { guarded.withLock { $0.entries = [] } }
}

extension RequestLog.Entry {
    var json: JSONText {
        .object([
            ("id", .integer(id)), ("at", .integer(at)), ("method", .string(method)), ("path", .string(path)),
            ("status", .integer(Int64(status))), ("milliseconds", .integer(milliseconds)),
            ("clientID", .string(clientID)), ("error", .string(error)), ("reason", .string(reason)),
            ("parameters", .array(parameters.map { .string($0) })), ("faults", .array(faults.map { .string($0) })),
        ])
    }
}

/// The facts about a request for the log, collected while it is answered. It holds no value that a client sent.
final class RequestRecord: Sendable {
    /// The record of the request that is being answered.
    @TaskLocal static var current: RequestRecord?

    struct Content: Sendable {
        /// The client id as sent; it is remembered only when a client has it.
        var clientID: String?
        var error: Refusal.Code?
        /// The emulator's reason for the refusal, which Apple's response doesn't say.
        var reason: String?
        var parameters: Set<String> = []
        var faults: [Fault.Kind] = []
    }

    private let guarded = Lock(Content())

    var content: Content { guarded.withLock { $0 } }

    func record(_ fields: FormFields) {
        guarded.withLock {
            $0.clientID = fields["client_id"]
            $0.parameters = fields.names.intersection(Self.knownParameters)
        }
    }

    func record(_ refusal: Refusal) {
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
