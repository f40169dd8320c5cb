/// Reads that wait, in the order in which they were asked for.
struct ReadQueue<Read> {
    private static var maximumTakenSlots: Int { 256 }

    /// The reads that wait begin at `head`. Those before it are taken.
    private var reads: [Read?] = []
    private var head = 0
    /// The number of reads that were asked for since the beginning, and below it the number of those that were taken.
    /// Reads are taken in order, so the two numbers tell the age of the first read that waits, without a clock.
    private(set) var asked: UInt64 = 0
    private var taken: UInt64 = 0

    var waiting: Int { reads.count - head }

    mutating func append(_ read: Read) {
        reads.append(read)
        asked += 1
    }

    /// - Parameter last: the number of reads asked for, up to which a read is taken.
    mutating func take(upTo last: UInt64) -> Read? {
        guard waiting > 0, taken < last else { return nil }
        defer {
            reads[head] = nil
            head += 1
            taken += 1
            if head == reads.count || head == Self.maximumTakenSlots {
                reads.removeFirst(head)
                head = 0
            }
        }
        return reads[head]
    }

    /// Whether the first read that waits has waited since this number of reads had been asked for.
    func hasWaited(since asked: UInt64) -> Bool { waiting > 0 && taken < asked }
}
