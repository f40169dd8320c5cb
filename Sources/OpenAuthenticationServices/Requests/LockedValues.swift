import TaskSignals

/// The settings of a request behind a lock, because apps may change them on any thread.
@dynamicMemberLookup
final class LockedValues<Values: Sendable>: Sendable {
    private let kept: Lock<Values>

    init(_ values: Values) {
        kept = Lock(values)
    }

    /// All values at this moment.
    var current: Values {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    subscript<Value: Sendable>(dynamicMember keyPath: WritableKeyPath<Values, Value>) -> Value {
        get { kept.withLock { $0[keyPath: keyPath] } }
        set { kept.withLock { $0[keyPath: keyPath] = newValue } }
    }
}
