/// A part of the people of a run, in the order in which the run comes to them.
enum TransferPart: Hashable, Sendable {
    /// People who were never asked about, and signed in last. The likeliest to use the app still, so a first run begins
    /// with a few of them.
    case latest
    /// People who were never asked about, in the order of their ids.
    case new
    /// People about whom it failed before, in the order of their ids.
    case failed
}

/// The people of a run, page by page. Nobody comes twice, also if it fails about them meanwhile.
actor TransferPages<Person: Sendable, Key: Hashable & Sendable> {
    /// People of the first page of a first run.
    private static var trials: Int { 5 }

    private let key: @Sendable (Person) -> Key
    private let load: @Sendable (_ part: TransferPart, _ last: Key?, _ limit: Int) async throws -> [Person]
    private var part: TransferPart
    private var last: Key?
    private var seen: Set<Key> = []

    /// - Parameters:
    ///   - beginsWithTrial: whether the first page has the people who signed in last.
    ///   - load: reads at most `limit` people of a part, after one.
    init(
        beginsWithTrial: Bool, key: @escaping @Sendable (Person) -> Key,
        load: @escaping @Sendable (_ part: TransferPart, _ last: Key?, _ limit: Int) async throws -> [Person]
    ) {
        self.key = key
        self.load = load
        part = beginsWithTrial ? .latest : .new
    }

    /// - Returns: at most `limit` people; none at the end.
    func next(_ limit: Int) async throws -> [Person] {
        while true {
            let page = try await load(part, last, part == .latest ? min(limit, Self.trials) : limit)
            if part == .latest {
                part = .new
            } else if let end = page.last {
                last = key(end)
            } else if part == .new {
                (part, last) = (.failed, nil)
                continue
            } else {
                return []
            }
            let fresh = page.filter { seen.insert(key($0)).inserted }
            if !fresh.isEmpty { return fresh }
        }
    }
}
