import AppleIDTransport
import Testing

@Suite("A time limit")
struct TimeLimitTests {
    @Test("returns the result of a body that ends in time, also if the limit is the largest duration")
    func result() async throws {
        let result = try await withTimeLimit(.seconds(Int64.max)) { "result" }
        #expect(result == "result")
    }

    @Test("throws when it is over, and leaves the body running")
    func late() async throws {
        let (lines, line) = AsyncStream<Void>.makeStream()
        let (ends, end) = AsyncStream<Void>.makeStream()
        await #expect(throws: TimeLimitExceeded.self) {
            try await withTimeLimit(.milliseconds(20)) {
                for await _ in lines { break }
                end.yield()
            }
        }
        line.yield()
        for await _ in ends { break }
    }
}
