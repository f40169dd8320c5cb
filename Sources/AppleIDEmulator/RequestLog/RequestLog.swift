import Synchronization

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

    private let guarded = Mutex(Guarded())

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
