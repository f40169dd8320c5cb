import Testing

@testable import AccountService

@Suite("Listeners for an account's events")
struct EventBellTests {
    private let account = AccountID(rawValue: "acc_1")
    private let patient: Duration = .seconds(3_600)

    @Test("A notification wakes the listeners of its account, and is kept for a listener that doesn't wait yet")
    func notifications() async throws {
        let bell = EventBell()
        let (one, other) = (try bell.listen(to: account), try bell.listen(to: account))
        bell.notify(account)
        bell.notify(account)
        await one.wait(upTo: patient)
        await other.wait(upTo: patient)
        async let waiting: Void = one.wait(upTo: patient)
        bell.notify(account)
        await waiting
    }

    @Test("A notification for another account wakes no listener, and two notifications count as one")
    func silence() async throws {
        let bell = EventBell()
        let listener = try bell.listen(to: account)
        bell.notify(account)
        bell.notify(account)
        bell.notify(AccountID(rawValue: "acc_2"))
        await listener.wait(upTo: patient)
        let clock = ContinuousClock()
        let time = await clock.measure { await listener.wait(upTo: .milliseconds(30)) }
        #expect(time >= .milliseconds(30))
    }

    @Test("A cancelled task stops waiting, and its listener still gets later notifications")
    func cancellation() async throws {
        let bell = EventBell()
        let listener = try bell.listen(to: account)
        let task = Task { await listener.wait(upTo: patient) }
        task.cancel()
        await task.value
        bell.notify(account)
        await listener.wait(upTo: patient)
    }

    @Test("An account has at most five listeners, independent of other accounts")
    func limit() throws {
        let bell = EventBell()
        var listeners = try (0..<5).map { _ in try bell.listen(to: account) }
        #expect(throws: AccountError(.rateLimited, "")) { try bell.listen(to: account) }
        #expect(bell.count(of: account) == 5)
        let other = try bell.listen(to: AccountID(rawValue: "acc_2"))
        listeners.removeLast()
        #expect(bell.count(of: account) == 4)
        listeners.append(try bell.listen(to: account))
        #expect(throws: AccountError(.rateLimited, "")) { try bell.listen(to: account) }
        listeners = []
        #expect(bell.count(of: account) == 0)
        withExtendedLifetime(other) { #expect(bell.count(of: AccountID(rawValue: "acc_2")) == 1) }
    }
}
