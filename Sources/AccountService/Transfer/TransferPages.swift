/// A part of the people of a run, in the order in which the run comes to them.
enum TransferPart: Hashable, Sendable {
    /// People who were never asked about, and signed in last. They most likely still use the app, so a first run begins
    /// with a few of them.
    case latest
    /// People who were never asked about, in the order of their ids.
    case new
    /// People about whom it failed before, in the order of their ids.
    case failed
}

/// The people of a run, page by page. Nobody comes twice, also if it fails about them meanwhile.
actor TransferPages<Person: Sendable, Key: ResourceID> {
    /// People who signed in last, and whom a run asks about to learn whether Apple answers at all.
    private static var trials: Int { 5 }
    /// People among whom those of a later trial are found: most of them may have been asked about before.
    private static var candidates: Int { 200 }

    let key: @Sendable (Person) -> Key
    private let load: @Sendable (_ part: TransferPart, _ last: Key?, _ limit: Int) async throws -> [Person]
    private var part: TransferPart
    private var last: Key?
    /// People who come again in a later part: those of the trials, and those about whom this run has failed.
    private var excluded: Set<Key> = []

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

    /// - Returns: at most `limit` people; none at the end of the new people, and of the failed ones.
    func next(_ limit: Int) async throws -> [Person] {
        while true {
            if part == .latest {
                part = .new
                let page = try await latest(limit, among: [])
                guard page.isEmpty else { return page }
            }
            let page = try await load(part, last, limit)
            guard let end = page.last else { return [] }
            last = key(end)
            let fresh = page.filter { !excluded.contains(key($0)) }
            if !fresh.isEmpty { return fresh }
        }
    }

    /// Goes on to the people about whom it failed before. Nobody may be asked about any more then.
    func beginFailed() {
        part = .failed
        last = nil
    }

    /// A few of the people about whom the run has not asked yet, and who signed in last. They don't come again.
    /// - Parameter waiting: people of earlier pages about whom the run has not asked yet.
    func latest(_ limit: Int, among waiting: [Person]) async throws -> [Person] {
        let waiting = Set(waiting.map(key))
        let page = try await load(.latest, nil, Self.candidates)
        let fresh = page.filter { !excluded.contains(key($0)) && (isAhead($0) || waiting.contains(key($0))) }
            .prefix(min(limit, Self.trials))
        excluded.formUnion(fresh.map(key))
        return Array(fresh)
    }

    /// Notes that a person is among the failed ones of the store from now on.
    func exclude(_ person: Person) { excluded.insert(key(person)) }

    /// Whether the run comes to a new person later. The store knows nothing of answers that the run has not noted.
    private func isAhead(_ person: Person) -> Bool {
        part == .new && key(person).rawValue > (last?.rawValue ?? "")
    }
}
