import Testing

@testable import AccountSQLite

@Suite("The queue of reads")
struct ReadQueueTests {
    @Test("is taken from in order, and not past a given position")
    func order() {
        var queue = ReadQueue<Int>()
        for number in 0..<1_000 { queue.append(number) }
        #expect((0..<700).allSatisfy { queue.take(upTo: 700) == $0 })
        #expect(queue.take(upTo: 700) == nil && queue.waiting == 300)
        queue.append(1_000)
        #expect(queue.asked == 1_001)
        #expect((700...1_000).allSatisfy { queue.take(upTo: .max) == $0 })
        #expect(queue.take(upTo: .max) == nil && queue.waiting == 0)
    }

    @Test("knows whether its first read was there at an earlier position, however many were taken since")
    func age() {
        var queue = ReadQueue<Int>()
        #expect(!queue.hasWaited(since: queue.asked))
        for number in 0..<3 { queue.append(number) }
        let moment = queue.asked
        queue.append(3)
        for _ in 0..<2 {
            _ = queue.take(upTo: .max)
            #expect(queue.hasWaited(since: moment))
        }
        _ = queue.take(upTo: .max)
        #expect(!queue.hasWaited(since: moment), "the next came after it")
        #expect(queue.hasWaited(since: queue.asked))
        _ = queue.take(upTo: .max)
        #expect(!queue.hasWaited(since: queue.asked), "nobody waits")
    }
}
