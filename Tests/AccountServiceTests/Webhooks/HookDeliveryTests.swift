import AccountDatabase
import AppleID
import AppleIDEmulator
import AppleIDTesting
import Logging
import MetricsTestKit
import ServiceLifecycle
import TaskSignals
import Testing
import Tracing

@testable import AccountService

@Suite("Hooks of a program that embeds the service")
struct HookDeliveryTests {
    /// Notes what it is told, and fails as often as it is told to.
    private final class Listener: Sendable {
        private struct State {
            var told: [AccountNotice] = []
            var failures = 0
        }

        struct Refusal: Error {}

        private let state: Lock<State>
        let heard = AsyncStream<Void>.makeStream()

        init(failures: Int = 0) {
            state = Lock(State(failures: failures))
        }

        var told: [AccountNotice] { state.withLock { $0.told } }

        func hook(_ name: String = "listener") -> InProcessHook {
            InProcessHook(name: name) { [self] notice in
                let fails = state.withLock { state in
                    state.told.append(notice)
                    state.failures -= 1
                    return state.failures >= 0
                }
                heard.continuation.yield()
                if fails { throw Refusal() }
            }
        }
    }

    private func signIn(_ system: OutboxSystem, _ person: String = "johnny") async throws -> TokenSignIn {
        let nonce = "a nonce of the hooks' tests \(UInt64.random(in: 0 ... .max))"
        let answer = try await system.emulator.authorize(
            person: person, client: OutboxSystem.juice, nonce: nonce.sha256, native: true)
        return try await system.domain.signIn.native(
            NativeSignIn(identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce),
            from: .unknown)
    }

    @Test("are called once for a change, after the transaction")
    func once() async throws {
        let listener = Listener()
        let system = try await OutboxSystem(hooks: [listener.hook()])
        let account = try await signIn(system).account.id
        _ = try await signIn(system)
        #expect(listener.told.isEmpty)
        try await system.domain.hookDelivery.drain()
        try await system.domain.hookDelivery.drain()
        #expect(listener.told.map(\.kind) == [.accountCreated] && listener.told.map(\.accountID) == [account])
    }

    @Test("that throw undo nothing, are retried at growing intervals, and in the end only by command")
    func failing() async throws {
        let listener = Listener(failures: .max)
        let system = try await OutboxSystem(hooks: [listener.hook()])
        let account = try await signIn(system).account.id
        var last = system.now
        var rests: [Duration] = []
        while try await system.store.parkedNotices(limit: 1).isEmpty {
            try Task.checkCancellation()
            let count = listener.told.count
            try await system.domain.hookDelivery.drain()
            if listener.told.count > count {
                rests.append(system.now - last)
                last = system.now
            }
            system.clock.advance(by: rests.count < 5 ? .seconds(1) : .minutes(20))
        }
        #expect(rests[1] <= .seconds(6) && rests.dropFirst().allSatisfy { $0 <= .hours(4) })
        #expect(rests.suffix(3).allSatisfy { $0 >= .hours(1) })
        #expect(Set(listener.told).count == 1)
        let parked = try await system.store.parkedNotices(limit: 10)
        #expect(parked.map(\.failure) == ["hook_failed"])
        #expect(system.now - parked[0].waitingSince >= .days(7))
        #expect(try await system.store.account(account) != nil)
        system.clock.advance(by: .days(20))
        let count = listener.told.count
        try await system.domain.hookDelivery.drain()
        #expect(listener.told.count == count)
        #expect(try await system.store.retryParkedNotices(at: system.now, by: .operator) == 1)
        try await system.domain.hookDelivery.drain()
        #expect(listener.told.count == count + 1)
    }

    @Test("that never end are cancelled after a while, and delay no account and no other hook")
    func endless() async throws {
        let listener = Listener()
        let begun = AsyncStream<Void>.makeStream()
        let endless = InProcessHook(name: "endless") { _ in
            begun.continuation.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}
            try Task.checkCancellation()
        }
        let system = try await OutboxSystem(hooks: [endless, listener.hook()])
        var hurried = system.domain.hookDelivery
        hurried.timeLimit = .milliseconds(100)
        let delivery = hurried
        _ = try await signIn(system)
        async let telling: Void = delivery.drain()
        for await _ in begun.stream { break }
        // It is being told at this moment.
        #expect(try await signIn(system, "zoe").isNewAccount)
        try await telling
        // Zoe may have come when nobody was left to tell.
        try await delivery.drain()
        #expect(listener.told.count == 2)
        let moment = system.now + .minutes(1)
        let waiting = try await system.store.leaseNotices(
            for: "endless", QueueLease(owner: "test", at: moment, until: moment, limit: 10))
        #expect(waiting.first?.failure == "hook_too_slow")
    }

    @Test("get missed changes after a restart, and a new hook gets only later ones")
    func restart() async throws {
        let failing = Listener(failures: 1)
        let system = try await OutboxSystem(hooks: [failing.hook()])
        _ = try await signIn(system)
        try await system.domain.hookDelivery.drain()
        system.clock.advance(by: .seconds(10))
        let (listener, other) = (Listener(), Listener())
        let next = try await OutboxSystem(hooks: [listener.hook(), other.hook("other")], sharing: system)
        try await next.domain.hookDelivery.drain()
        #expect(listener.told == failing.told && other.told.isEmpty)
        _ = try await signIn(next, "zoe")
        try await next.domain.hookDelivery.drain()
        #expect(listener.told.count == 2 && other.told.count == 1)
    }

    @Test("are not forgotten while a server has them, however long one takes for a notice", .timeLimit(.minutes(1)))
    func renewal() async throws {
        let (begun, due, renewed) = (OneShot<Void>(), OneShot<Void>(), OneShot<Void>())
        let end = AsyncStream<Void>.makeStream()
        let slow = InProcessHook(name: "slow") { _ in
            begun.deliver()
            for await _ in end.stream {}
        }
        let system = try await OutboxSystem(hooks: [slow])
        var delivery = system.domain.hookDelivery
        let waits = Lock(0)
        delivery.waitForRenewal = {
            let isFirst = waits.withLock { count in
                count += 1
                return count == 1
            }
            if isFirst { return try await due.value() }
            renewed.deliver()
            // Until the shutdown.
            try await OneShot<Void>().value()
        }
        let services = ServiceGroup(services: [delivery], logger: Logger(label: "test"))
        _ = try await signIn(system)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            try await begun.value()
            system.clock.advance(by: HookDelivery.retention)
            due.deliver()
            try await renewed.value()
            let seen = try await lastSeen("slow", in: system)
            #expect(seen == system.now)
            end.continuation.finish()
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }

    /// When a server last said that it has a hook.
    private func lastSeen(_ hook: String, in system: OutboxSystem) async throws -> Timestamp {
        let moment = try await system.store.read { connection in
            try connection.first("SELECT seen_at FROM hooks WHERE name = ?1", [.text(hook)]) { try $0.time() }
        }
        return try #require(moment)
    }

    @Test("work as a service, and end with a shutdown", arguments: [true, false])
    func service(hasHooks: Bool) async throws {
        let listener = Listener()
        let metrics = TestMetrics()
        let system = try await OutboxSystem(
            hooks: hasHooks ? [listener.hook()] : [],
            instrumentation: AppleIDInstrumentation(metrics: metrics, tracer: NoOpTracer()))
        _ = try await signIn(system)
        try await withThrowingTaskGroup(of: Void.self) { group in
            let services = ServiceGroup(services: [system.domain.hookDelivery], logger: Logger(label: "test"))
            group.addTask { try await services.run() }
            if hasHooks { for await _ in listener.heard.stream { break } }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
        #expect(listener.told.count == (hasHooks ? 1 : 0))
        if hasHooks {
            let counter = try metrics.expectCounter("accounts.hooks", [("hook", "listener"), ("outcome", "taken")])
            #expect(counter.totalValue == 1)
        }
    }

    @Test(
        "must have different and well-formed names",
        arguments: [["listener", "listener"], [""], ["Listener"], ["a b"], [String(repeating: "a", count: 41)]])
    func names(_ names: [String]) async throws {
        await #expect(throws: AccountError(.configuration, "")) {
            try await OutboxSystem(hooks: names.map { Listener().hook($0) })
        }
    }
}
