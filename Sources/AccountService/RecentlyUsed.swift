/// A dictionary that forgets what was not written for longest: it holds the last `capacity` entries written at least,
/// and twice as many at most.
package struct RecentlyUsed<Key: Hashable, Value> {
    private let capacity: Int
    private var young: [Key: Value] = [:]
    private var old: [Key: Value] = [:]

    package init(capacity: Int) {
        self.capacity = capacity
    }

    package subscript(key: Key) -> Value? {
        get { young[key] ?? old[key] }
        set {
            if young.count >= capacity, young[key] == nil {
                old = young
                young = [:]
            }
            young[key] = newValue
        }
    }
}
