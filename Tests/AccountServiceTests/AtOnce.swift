@testable import AccountService

/// Runs the work many times concurrently.
/// - Returns: the values, in no particular order.
func atOnce<Value: Sendable>(
    _ count: Int, _ work: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for index in 0..<count {
            group.addTask { try await work(index) }
        }
        var values: [Value] = []
        for try await value in group {
            values.append(value)
        }
        return values
    }
}

/// Runs works concurrently.
/// - Returns: the outcome of each, in the order of the works: `done`, or the code of its error.
func race(_ works: [@Sendable () async throws -> Void]) async throws -> [String] {
    let ends = try await atOnce(works.count) { index in
        do {
            try await works[index]()
            return (index, "done")
        } catch let error as AccountError {
            return (index, error.code.description)
        }
    }
    return ends.sorted { $0.0 < $1.0 }.map(\.1)
}

/// Lets other tasks run first, so that two works meet at another point in each round.
func yieldToOthers(_ times: Int) async {
    for _ in 0..<times { await Task.yield() }
}
