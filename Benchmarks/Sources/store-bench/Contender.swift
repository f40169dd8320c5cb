/// Work that is measured, and what came of it.
struct Contender: Sendable {
    /// As `latest.json` has them.
    struct Figures: Encodable {
        let perSecond: Double
        let ratio: Double
        let of: String
    }

    let name: String
    /// The one that it is compared with.
    let base: String
    let work: @Sendable () async throws -> Void
    /// One for each round.
    var rates: [Double] = []

    init(_ name: String, of base: String, work: @escaping @Sendable () async throws -> Void) {
        self.name = name
        self.base = base
        self.work = work
    }

    /// How often it is done in a second.
    func rate(writers: Int, for time: Duration) async throws -> Double {
        let start = ContinuousClock.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<writers {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < start + time {
                        try await work()
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    func figures(among all: [Contender]) -> Figures {
        let compared = all.first { $0.name == base }?.rates ?? rates
        return Figures(
            perSecond: Self.median(rates).rounded(),
            ratio: (Self.median(zip(rates, compared).map(/)) * 1_000).rounded() / 1_000, of: base)
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
