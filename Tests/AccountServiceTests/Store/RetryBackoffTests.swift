import Testing

@testable import AccountService

@Suite("Delays between attempts")
struct RetryBackoffTests {
    @Test("double up to a limit, and a random part of up to a half is subtracted")
    func delays() {
        let backoff = RetryBackoff(first: .seconds(30), maximum: .hours(6))
        #expect(backoff.delay(after: 0, random: 0) == .seconds(30))
        #expect(backoff.delay(after: 1, random: 0) == .seconds(30))
        #expect(backoff.delay(after: 2, random: 0) == .seconds(60))
        #expect(backoff.delay(after: 2, random: .max) == .seconds(30))
        #expect(backoff.delay(after: 1_000_000, random: 0) == .hours(6))
    }
}
