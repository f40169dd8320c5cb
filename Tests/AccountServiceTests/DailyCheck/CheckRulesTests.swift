import Testing

@testable import AccountService

@Suite("The rules of the daily check")
struct CheckRulesTests {
    private let now = Timestamp(secondsSince1970: 1_795_000_000)

    @Test(
        "postpone the next check by a day, and by as much of a day as this check was late",
        arguments: [
            (.zero, .hours(24)), (.seconds(40), Duration.hours(24) + .seconds(40)), (.hours(5), .hours(29)),
            (.hours(24), .hours(24)), (.hours(24 * 9 + 7), .hours(31)), (.hours(-3), .hours(24)),
        ] as [(Duration, Duration)])
    func next(late: Duration, wait: Duration) {
        #expect(CheckRules.next(after: now, due: now - late) - now == wait)
    }
}
