import AccountService
import TaskSignals
import Testing

@testable import AccountHTTP

@Suite("The rate limit of an address")
struct AddressBudgetTests {
    private final class Time: Sendable {
        let now = Lock(Timestamp(secondsSince1970: 1_750_000_000))

        func advance(_ span: Duration) { now.withLock { $0 = $0 + span } }
    }

    private let time = Time()

    private func budgets(perMinute: Int?) -> AddressBudgets {
        AddressBudgets(perMinute: perMinute) { [time] in time.now.withLock { $0 } }
    }

    @Test("allows a minute's worth at once, and then a request each time the budget refills")
    func bucket() {
        let budgets = budgets(perMinute: 6)
        let network = CountedNetwork(of: "192.0.2.1")
        for _ in 0..<6 { #expect(budgets.take(.signIn, from: network) == nil) }
        #expect(budgets.take(.signIn, from: network) == .seconds(10))
        time.advance(.seconds(9))
        #expect(budgets.wait(.signIn, from: network).map { $0 <= .seconds(1.01) } == true)
        time.advance(.seconds(2))
        #expect(budgets.wait(.signIn, from: network) == nil)
        #expect(budgets.take(.signIn, from: network) == nil)
        #expect(budgets.take(.signIn, from: network) != nil)
        time.advance(.seconds(86_400))
        for _ in 0..<6 { #expect(budgets.take(.signIn, from: network) == nil) }
        #expect(budgets.take(.signIn, from: network) != nil)
    }

    @Test("counts each network and each kind of request separately")
    func apart() {
        let budgets = budgets(perMinute: 1)
        let one = CountedNetwork(of: "2001:db8::1")
        #expect(budgets.take(.signIn, from: one) == nil)
        #expect(budgets.take(.signIn, from: CountedNetwork(of: "2001:db8::ffff")) != nil)
        #expect(budgets.take(.signIn, from: CountedNetwork(of: "2001:db8:0:1::1")) == nil)
        #expect(budgets.take(.challenge, from: one) == nil)
    }

    @Test("does not change when a clock is set back")
    func clock() {
        let budgets = budgets(perMinute: 1)
        let network = CountedNetwork(of: "192.0.2.1")
        #expect(budgets.take(.signIn, from: network) == nil)
        time.advance(.seconds(-3_600))
        #expect(budgets.take(.signIn, from: network) != nil)
        time.advance(.seconds(60))
        #expect(budgets.take(.signIn, from: network) == nil)
    }

    @Test("is off if it isn't configured, or isn't positive", arguments: [nil, 0, -1])
    func unlimited(perMinute: Int?) {
        let budgets = budgets(perMinute: perMinute)
        #expect((0..<10_000).allSatisfy { _ in budgets.take(.signIn, from: CountedNetwork(of: "192.0.2.1")) == nil })
    }

    @Test("uses bounded memory, and forgets the networks that were quiet for longest")
    func bounded() {
        let budgets = budgets(perMinute: 1)
        let (quiet, busy) = (CountedNetwork(of: "192.0.2.1"), CountedNetwork(of: "192.0.2.2"))
        #expect(budgets.take(.signIn, from: quiet) == nil)
        #expect(budgets.take(.signIn, from: busy) == nil)
        for number in 0..<200_000 {
            _ = budgets.take(
                .signIn, from: CountedNetwork(of: "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"))
            if number % 10_000 == 0 { #expect(budgets.take(.signIn, from: busy) != nil) }
        }
        #expect(budgets.take(.signIn, from: busy) != nil)
        #expect(budgets.take(.signIn, from: quiet) == nil)
    }
}
