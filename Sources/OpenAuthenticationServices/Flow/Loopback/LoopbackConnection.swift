/// One connection to the loopback listener: reads a head, writes one answer, waits for the other side to close.
struct LoopbackConnection {
    enum Phase {
        case reading
        /// The bytes of the answer that aren't written yet.
        case writing(ArraySlice<UInt8>)
        /// The answer is written. If the connection closed now while the other side still sends, the other side could lose
        /// the answer.
        case lingering
        case over
    }

    /// Answers a head; nil stands for a head that is not valid.
    typealias Judge = (_ request: LoopbackRequest?) -> [UInt8]

    let socket: LoopbackSocket
    private(set) var phase = Phase.reading
    /// The time at which it is closed, whatever it does.
    private(set) var deadline: ContinuousClock.Instant
    private var head: [UInt8] = []

    init(socket: LoopbackSocket, deadline: ContinuousClock.Instant) {
        self.socket = socket
        self.deadline = deadline
    }

    var isWriting: Bool {
        if case .writing = phase { true } else { false }
    }

    var isOver: Bool {
        if case .over = phase { true } else { false }
    }

    /// Goes on as far as it can without waiting.
    mutating func proceed(limits: LoopbackLimits, now: ContinuousClock.Instant, judge: Judge) {
        if case .reading = phase { readHead(limits: limits, judge: judge) }
        if case .writing(let rest) = phase { write(rest, limits: limits, now: now) }
        if case .lingering = phase { drain() }
    }

    private mutating func readHead(limits: LoopbackLimits, judge: Judge) {
        while true {
            switch socket.read(atMost: 4096) {
            case .nothing:
                return
            case .end:
                phase = .over
                return
            case .bytes(let bytes):
                // The empty line may straddle what was there and what came.
                let from = max(0, head.count - 3)
                head += bytes
                if let end = Self.endOfHead(in: head, from: from), end <= limits.headSize {
                    phase = .writing(judge(LoopbackRequest(head: head[..<end]))[...])
                    return
                }
                guard head.count <= limits.headSize else {
                    phase = .writing(judge(nil)[...])
                    return
                }
            }
        }
    }

    private mutating func write(_ bytes: ArraySlice<UInt8>, limits: LoopbackLimits, now: ContinuousClock.Instant) {
        guard let count = socket.write(bytes) else {
            phase = .over
            return
        }
        let rest = bytes.dropFirst(count)
        guard rest.isEmpty else {
            phase = .writing(rest)
            return
        }
        socket.endWriting()
        deadline = min(deadline, now + limits.lingering)
        phase = .lingering
    }

    private mutating func drain() {
        // A few times only: who sends without end is served in turn with the others, until the deadline.
        for _ in 0..<16 {
            switch socket.read(atMost: 4096) {
            case .nothing: return
            case .bytes: continue
            case .end:
                phase = .over
                return
            }
        }
    }

    private static func endOfHead(in bytes: [UInt8], from start: Int) -> Int? {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard bytes.count >= mark.count else { return nil }
        return (start...max(start, bytes.count - mark.count)).first { index in
            bytes[index...].starts(with: mark)
        }
    }
}
