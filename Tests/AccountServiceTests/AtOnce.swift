/// Runs the work many times concurrently.
/// - Returns: what each came to, in no particular order.
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
