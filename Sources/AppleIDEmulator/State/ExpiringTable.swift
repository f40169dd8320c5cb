/// A dictionary whose entries all live equally long, and of which there are never more than a given number.
///
/// Entries leave in the order they came, when they are too old or too many; what is removed leaves at once.
struct ExpiringTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        let insertedAt: Int64
    }

    /// In seconds. Nil if entries never get too old.
    let lifetime: Int64?
    let capacity: Int
    private var entries: [String: Entry] = [:]
    private var order: [String] = []
    private var first = 0

    init(lifetime: Int64?, capacity: Int) {
        self.lifetime = lifetime
        self.capacity = capacity
    }

    var count: Int { entries.count }

    /// Oldest first.
    var all: [(key: String, value: Value)] {
        order[first...].compactMap { key in entries[key].map { (key, $0.value) } }
    }

    /// All entries with the times at which they were inserted, oldest first.
    var stamped: [(key: String, value: Value, insertedAt: Int64)] {
        order[first...].compactMap { key in entries[key].map { (key, $0.value, $0.insertedAt) } }
    }

    func value(_ key: String, at now: Int64) -> Value? {
        guard let entry = entries[key], !isOver(entry, now) else { return nil }
        return entry.value
    }

    /// The key must be new; keys here are random.
    mutating func insert(_ value: Value, for key: String, at now: Int64) {
        while first < order.count {
            let oldest = entries[order[first]]
            guard entries.count >= capacity || oldest.map({ isOver($0, now) }) ?? true else { break }
            entries[order[first]] = nil
            first += 1
        }
        // Keys of removed entries are dropped here, so that the order stays within twice the capacity.
        if order.count > 2 * capacity || (first > 64 && first > order.count / 2) {
            order = order[first...].filter { entries[$0] != nil }
            first = 0
        }
        entries[key] = Entry(value: value, insertedAt: now)
        order.append(key)
    }

    mutating func update(_ key: String, _ change: (inout Value) -> Void) {
        guard var entry = entries[key] else { return }
        change(&entry.value)
        entries[key] = entry
    }

    mutating func remove(_ key: String) {
        entries[key] = nil
    }

    mutating func updateAll(_ change: (inout Value) -> Void) {
        for key in Array(entries.keys) { update(key, change) }
    }

    mutating func removeAll(where isDone: (String, Value) -> Bool) {
        for (key, entry) in entries where isDone(key, entry.value) { entries[key] = nil }
    }

    private func isOver(_ entry: Entry, _ now: Int64) -> Bool {
        lifetime.map { now - entry.insertedAt > $0 } ?? false
    }
}
