import Testing

@testable import AccountService

@Suite("The queue before the hashers")
struct HashQueueTests {
    @Test("The queue has a limited number of running and waiting jobs, and refuses the next until one leaves")
    func bounds() {
        var queue = HashQueue<String>(threads: 2, maximumLength: 2)
        #expect(queue.admit("a", as: 1) == .starts)
        #expect(queue.admit("b", as: 2) == .starts)
        #expect(queue.admit("c", as: 3) == .waits)
        #expect(queue.admit("d", as: 4) == .waits)
        #expect(queue.admit("e", as: 5) == .isFull)
        #expect(queue.withdraw(3) == "c")
        #expect(queue.admit("f", as: 6) == .waits)
        #expect(queue.running == 2 && queue.waiting == 2)
    }

    @Test("Waiting jobs start in their order, and then the threads end")
    func order() {
        var queue = HashQueue<String>(threads: 1, maximumLength: 9)
        #expect(queue.admit("a", as: 1) == .starts)
        for (id, job) in ["b", "c", "d"].enumerated() { #expect(queue.admit(job, as: UInt64(id + 2)) == .waits) }
        #expect(queue.withdraw(3) == "c")
        #expect(queue.next() == "b")
        #expect(queue.next() == "d")
        #expect(queue.running == 1)
        #expect(queue.next() == nil)
        #expect(queue.running == 0)
        #expect(queue.admit("e", as: 9) == .starts)
    }

    @Test("In a full queue a new network takes a place of the one with the most, until both have as many")
    func shares() {
        let (greedy, other, third) = (
            CountedNetwork(of: "192.0.2.1"), CountedNetwork(of: "192.0.2.2"), CountedNetwork(of: "192.0.2.3")
        )
        var queue = HashQueue<String>(threads: 1, maximumLength: 4)
        #expect(queue.admit("a", as: 1, of: greedy) == .starts)
        for (id, job) in ["b", "c", "d", "e"].enumerated() {
            #expect(queue.admit(job, as: UInt64(id + 2), of: greedy) == .waits)
        }
        #expect(queue.admit("f", as: 6, of: greedy) == .isFull)
        #expect(queue.admit("g", as: 7, of: other) == .replaces("e"))
        #expect(queue.admit("h", as: 8, of: other) == .replaces("d"))
        #expect(queue.admit("i", as: 9, of: other) == .isFull)
        #expect(queue.admit("j", as: 10, of: greedy) == .isFull)
        #expect(queue.admit("k", as: 11, of: third) == .replaces("h"))
        #expect(queue.waiting == 4 && queue.running == 1)
        #expect((0..<5).map { _ in queue.next() } == ["b", "c", "g", "k", nil])
    }

    @Test("A running job can't be withdrawn")
    func begun() {
        var queue = HashQueue<String>(threads: 1, maximumLength: 1)
        #expect(queue.admit("a", as: 1) == .starts)
        #expect(queue.withdraw(1) == nil)
        #expect(queue.withdraw(7) == nil)
        #expect(queue.running == 1)
    }
}
