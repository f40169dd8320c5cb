import Foundation
import TaskSignals
import Testing

@testable import AccountService

@Suite("Hashers of passwords", .timeLimit(.minutes(2)))
struct PasswordHasherTests {
    @Test("A hash verifies its own password only, and a missing hash verifies none")
    func verify() async throws {
        let hasher = PasswordHasher.forTests()
        let hash = try await hasher.hash(Password("correct horse battery"))
        #expect(hash.cost == .lowForTests)
        #expect(try await hasher.verify(Password("correct horse battery"), hash))
        #expect(try await hasher.verify(Password("correct\u{A0}horse battery"), hash))
        #expect(try await !hasher.verify(Password("Correct horse battery"), hash))
        #expect(try await !hasher.verify(Password(""), hash))
        #expect(try await !hasher.verify(Password("correct horse battery"), nil))
        #expect(hasher.computed == 6)
    }

    @Test("Two hashes of one password have two salts")
    func salts() async throws {
        let hasher = PasswordHasher.forTests()
        let hashes = [
            try await hasher.hash(Password("one and the same")), try await hasher.hash(Password("one and the same")),
        ]
        #expect(hashes[0].salt != hashes[1].salt)
        #expect(hashes[0].bytes != hashes[1].bytes)
    }

    @Test("A hash of a former cost is compared with that cost")
    func formerCost() async throws {
        let former = PasswordHasher.forTests(cost: PasswordCost(roundsExponent: 3, blockSize: 2, parallelism: 2))
        let hash = try await PasswordHash(text: former.hash(Password("correct horse battery")).text)
        let hasher = PasswordHasher.forTests()
        #expect(try await hasher.verify(Password("correct horse battery"), hash))
        #expect(hash.needsRehash(for: hasher.cost))
    }

    @Test("A wrong password takes one turn in the queue, also against a hash of a former cost")
    func oneTurn() async throws {
        let former = PasswordHasher.forTests(cost: PasswordCost(roundsExponent: 3, blockSize: 1, parallelism: 1))
        let hash = try await former.hash(Password("correct horse battery"))
        let (first, others) = (ThreadGate(), ThreadGate())
        let hasher = PasswordHasher.forTests { password in (password.text == "wrong" ? first : others).pass() }
        let check = Task { try await hasher.verify(Password("wrong"), hash) }
        await until { hasher.running == 1 }
        async let hashes = AccountServiceTests.atOnce(16) { try await hasher.hash(Password("number \($0)")) }
        await until { hasher.waiting == 16 }
        first.open()
        #expect(try await !check.value)
        #expect(hasher.computed == 2 && hasher.work == PasswordCost.lowForTests.work)
        others.open()
        #expect(try await hashes.count == 16)
    }

    @Test("A network that fills the queue gives a place to another, and its caller is refused for now")
    func shares() async throws {
        let gate = ThreadGate()
        let hasher = PasswordHasher.forTests { _ in gate.pass() }
        let refused = Lock(0)
        async let many: [Void] = AccountServiceTests.atOnce(17) { number in
            do {
                _ = try await hasher.hash(Password("number \(number)"), of: CountedNetwork(of: "192.0.2.1"))
            } catch let error as AccountError where error.code == .tooBusy {
                refused.withLock { $0 += 1 }
            }
        }
        await until { hasher.running == 1 && hasher.waiting == 16 }
        let other = Task { try await hasher.verify(Password("other"), nil, of: CountedNetwork(of: "192.0.2.2")) }
        await until { refused.withLock { $0 } == 1 }
        gate.open()
        #expect(try await !other.value)
        _ = try await many
        #expect(refused.withLock { $0 } == 1 && hasher.computed == 17)
    }

    @Test(
        "At most half of the cores hash at once, but at least one",
        arguments: [(2, 1, 1), (2, 2, 1), (2, 3, 1), (2, 4, 2), (2, 64, 2), (9, 8, 4), (0, 8, 1), (-1, 8, 1)])
    func threads(asked: Int, cores: Int, used: Int) {
        #expect(PasswordHasher.forTests(hashers: asked, cores: cores).threads == used)
    }

    @Test("The hashers all hash at the same time")
    func atOnce() async throws {
        let gate = ThreadGate()
        let hasher = PasswordHasher.forTests(hashers: 3, cores: 8) { _ in gate.pass() }
        async let hashes = AccountServiceTests.atOnce(7) { try await hasher.hash(Password("number \($0)")) }
        await until { hasher.running == 3 && hasher.waiting == 4 }
        #expect(hasher.computed == 0)
        gate.open()
        #expect(try await hashes.count == 7)
        #expect(hasher.computed == 7)
        // Without work there is no thread.
        await until { hasher.running == 0 }
    }

    @Test("With 16 waiting the next caller is refused for now, without a hash")
    func full() async throws {
        let gate = ThreadGate()
        let hasher = PasswordHasher.forTests { _ in gate.pass() }
        async let hashes = AccountServiceTests.atOnce(17) { try await hasher.hash(Password("number \($0)")) }
        await until { hasher.running == 1 && hasher.waiting == 16 }
        for password in [Password("one more"), Password("")] {
            let refusal = await expectError(.tooBusy) { _ = try await hasher.verify(password, nil) }
            #expect(refusal?.retryAfter == .seconds(1))
        }
        gate.open()
        #expect(try await hashes.count == 17)
        #expect(hasher.computed == 17)
        #expect(try await !hasher.verify(Password("one more"), nil))
    }

    @Test("Waiting callers are served in order")
    func order() async throws {
        let gate = ThreadGate()
        let seen = Lock<[String]>([])
        let hasher = PasswordHasher.forTests { password in
            gate.pass()
            seen.withLock { $0.append(password.text) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0...16 {
                group.addTask { _ = try await hasher.hash(Password("\(number)")) }
                await until { hasher.running == 1 && hasher.waiting == number }
            }
            gate.open()
            try await group.waitForAll()
        }
        #expect(seen.withLock { $0 } == (0...16).map { "\($0)" })
    }

    @Test("A cancelled caller leaves the queue at once, without a hash")
    func cancelled() async throws {
        let gate = ThreadGate()
        let seen = Lock<Set<String>>([])
        let hasher = PasswordHasher.forTests { password in
            gate.pass()
            seen.withLock { _ = $0.insert(password.text) }
        }
        let first = Task { try await hasher.hash(Password("first")) }
        await until { hasher.running == 1 }
        let others = (1...16).map { number in Task { try await hasher.hash(Password("\(number)")) } }
        await until { hasher.waiting == 16 }
        others[4].cancel()
        await #expect(throws: CancellationError.self) { try await others[4].value }
        #expect(hasher.waiting == 15)
        let late = Task { try await hasher.hash(Password("late")) }
        await until { hasher.waiting == 16 }
        gate.open()
        _ = try await first.value
        _ = try await late.value
        for (number, other) in others.enumerated() where number != 4 { _ = try await other.value }
        #expect(hasher.computed == 17)
        #expect(seen.withLock { $0 }.contains("late"))
        #expect(!seen.withLock { $0 }.contains("5"))
    }

    @Test("A caller who was cancelled before gets no hash")
    func cancelledBefore() async {
        let hasher = PasswordHasher.forTests()
        let task = Task {
            await until { Task.isCancelled }
            return try await hasher.hash(Password("never"))
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(hasher.computed == 0)
    }

    @Test("More callers can wait than the machine has threads for tasks, and other tasks continue")
    func tasksGoOn() async throws {
        let gate = ThreadGate()
        let hashers = (0..<16).map { _ in PasswordHasher.forTests { _ in gate.pass() } }
        async let answers = AccountServiceTests.atOnce(16 * 17) {
            try await hashers[$0 % 16].verify(Password("\($0)"), nil)
        }
        await until { hashers.allSatisfy { $0.waiting == 16 } }
        #expect(try await AccountServiceTests.atOnce(100) { $0 }.count == 100)
        gate.open()
        #expect(try await answers.allSatisfy { !$0 })
    }

    #if os(Linux)
        @Test("The threads have a lower priority than others")
        func priority() async throws {
            let seen = Lock<[Int32]>([])
            let here = getpriority(0, 0)
            let hasher = PasswordHasher.forTests(makesWay: true) { _ in
                let niceness = getpriority(0, 0)
                seen.withLock { $0.append(niceness) }
            }
            _ = try await hasher.hash(Password("any"))
            #expect(seen.withLock { $0 } == [min(19, here + HasherThread.niceness)])
            #expect(getpriority(0, 0) == here)
        }
    #endif

    @Test("A thread rests twice as long as it computed, if others needed the processor")
    func rest() {
        let computed = Duration.milliseconds(100)
        #expect(HasherThread.pauseAfterWork(computed: computed, taken: .milliseconds(101)) == .zero)
        #expect(HasherThread.pauseAfterWork(computed: computed, taken: .milliseconds(125)) == .zero)
        #expect(HasherThread.pauseAfterWork(computed: computed, taken: .milliseconds(126)) == computed * 2)
        #expect(HasherThread.pauseAfterWork(computed: computed, taken: .seconds(5)) == computed * 2)
        #expect(HasherThread.pauseAfterWork(computed: .seconds(2), taken: .seconds(5)) == .milliseconds(250))
    }
}
