import Testing

@testable import AccountService

@Suite("The pace of a transfer")
struct TransferPaceTests {
    private let start = Timestamp(secondsSince1970: 1_000)

    @Test("spreads requests evenly, without a burst after a pause")
    func even() {
        var pace = TransferPace(rate: 5, at: start)
        let waits = (0..<6).map { _ in pace.take(at: start) }
        #expect(waits == (0..<6).map { .milliseconds(200 * $0) })
        #expect(pace.take(at: start + .seconds(60)) == .zero, "no burst after a pause")
        #expect(pace.take(at: start + .seconds(60)) == .milliseconds(200))
    }

    @Test("waits as long as Apple's Retry-After, and then goes half as fast")
    func wish() {
        var pace = TransferPace(rate: 4, at: start)
        _ = pace.take(at: start)
        pace.slowDown(for: .seconds(30), at: start)
        pace.slowDown(for: .seconds(20), at: start)
        #expect(pace.rate == 2, "several requests on their way make it slower once")
        #expect(pace.take(at: start) == .seconds(30))
        #expect(pace.take(at: start) == .milliseconds(30_500))
        pace.slowDown(for: .seconds(40), at: start)
        #expect(pace.take(at: start) == .seconds(40), "the longest wish counts")
    }

    @Test("treats a Retry-After of zero as a short pause, and slows down once")
    func noTime() {
        var pace = TransferPace(rate: 8, at: start)
        for _ in 0..<8 { pace.slowDown(for: .zero, at: start) }
        #expect(pace.rate == 4)
        #expect(pace.pausedUntil == start + TransferPace.firstPause && pace.take(at: start) == TransferPace.firstPause)
    }

    @Test("doubles its wait while Apple doesn't answer, and resets it after an answer")
    func doubling() {
        var pace = TransferPace(rate: 1_000, at: start)
        var now = start
        var waits: [Duration] = []
        for _ in 0..<9 {
            pace.lostAnswer(at: now)
            let wait = pace.take(at: now)
            waits.append(wait)
            now = now + wait
        }
        #expect(waits.map(\.components.seconds) == [1, 2, 4, 8, 16, 32, 64, 120, 120])
        #expect(pace.rate == 1_000, "Apple did not ask for less")
        pace.answered()
        pace.slowDown(for: nil, at: now)
        #expect(pace.take(at: now) == .seconds(1) && pace.rate == 500)
    }

    @Test("never stops, and regains its speed")
    func recovery() {
        var pace = TransferPace(rate: 5, at: start)
        var now = start
        for _ in 0..<50 {
            pace.slowDown(for: .seconds(1), at: now)
            now = now + .seconds(1)
        }
        #expect(pace.rate == TransferPace.slowestRate)
        for _ in 0..<1_000 { pace.answered() }
        #expect(pace.rate == 5)
        var slow = TransferPace(rate: 0.05, at: start)
        slow.slowDown(for: nil, at: start)
        #expect(slow.rate == 0.05, "not faster than the operator wants")
    }
}
