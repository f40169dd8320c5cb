import TaskSignals

/// The faults that are ordered. It decides which requests they hit.
final class FaultInjector: Sendable {
    static let capacity = 100

    /// The endpoint of Apple's that the current request is for. It decides about faults of tokens that are signed.
    @TaskLocal static var endpoint: Fault.Endpoint?

    private struct Guarded {
        var faults: [Fault] = []
        var lastNumber = 0
    }

    private let guarded = Lock(Guarded())

    /// The faults in the order in which they were ordered; those that are used up stay, with their counts.
    var faults: [Fault] { guarded.withLock { $0.faults } }

    func add(_ fault: Fault) throws(Refusal) -> Fault {
        let added = guarded.withLock { guarded -> Fault? in
            guard guarded.faults.count < Self.capacity else { return nil }
            guarded.lastNumber += 1
            var fault = fault
            fault.id = "f\(guarded.lastNumber)"
            guarded.faults.append(fault)
            return fault
        }
        guard let added else {
            throw Refusal(.conflict, "There are \(Self.capacity) faults. Clear some first.")
        }
        return added
    }

    func clear() { guarded.withLock { $0.faults = [] } }

    func clear(_ id: String) throws(Refusal) {
        let isKnown = guarded.withLock { guarded in
            let count = guarded.faults.count
            guarded.faults.removeAll { $0.id == id }
            return guarded.faults.count < count
        }
        guard isKnown else { throw Refusal(.unknownFault, "No fault has this id.") }
    }

    /// Decides for every fault of these kinds whether it happens now, and returns those that do.
    func draw(_ kinds: Set<Fault.Kind>, at endpoint: Fault.Endpoint?) -> [Fault] {
        guard let endpoint else { return [] }
        let hits = guarded.withLock { guarded in
            var hits: [Fault] = []
            for index in guarded.faults.indices where kinds.contains(guarded.faults[index].kind) {
                if guarded.faults[index].happens(at: endpoint) { hits.append(guarded.faults[index]) }
            }
            return hits
        }
        for hit in hits { RequestRecord.current?.add(hit.kind) }
        return hits
    }
}
