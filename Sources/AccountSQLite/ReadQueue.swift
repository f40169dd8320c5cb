/// Reads that wait, in the order in which they were asked for.
struct ReadQueue<Read> {
    private static var longestPast: Int { 256 }

    /// Those that wait begin at `head`; what stood before is taken.
    private var reads: [Read?] = []
    private var head = 0
    /// How many reads were asked for, and how many of them were taken, since the beginning. As they are taken in their
    /// order, these two tell the age of the first that waits, without a clock.
    private(set) var asked: UInt64 = 0
    private var taken: UInt64 = 0

    var waiting: Int { reads.count - head }

    mutating func append(_ read: Read) {
        reads.append(read)
        asked += 1
    }

    /// - Parameter last: takes none that was asked for after so many.
    mutating func take(upTo last: UInt64) -> Read? {
        guard waiting > 0, taken < last else { return nil }
        defer {
            reads[head] = nil
            head += 1
            taken += 1
            if head == reads.count || head == Self.longestPast {
                reads.removeFirst(head)
                head = 0
            }
        }
        return reads[head]
    }

    /// Whether the first that waits waited already when so many had been asked for.
    func hasWaited(since asked: UInt64) -> Bool { waiting > 0 && taken < asked }
}
