/// How often Apple is asked about the people of a transfer. Apple publishes no limit, so the rate is the operator's,
/// and lower when Apple wants that.
///
/// A pure state machine: it knows no clock and no task.
struct TransferPace: Sendable {
    /// Requests a second unless the operator sets another rate.
    static let standardRate = 5.0
    /// The pause where Apple names none. It doubles each time until Apple answers again.
    static let firstPause: Duration = .seconds(1)
    static let maximumPause: Duration = .minutes(2)
    /// The slowest that Apple's refusals make it: one request in ten seconds.
    static let slowestRate = 0.1
    /// Answers in a row after which it goes a little faster again.
    static let answersToRecover = 20

    /// The rate that the operator wants.
    let wanted: Double
    /// Requests a second now.
    private(set) var rate: Double
    /// When the next request may begin.
    private var next: Timestamp
    /// No request begins before this moment, also if it took its place earlier.
    private(set) var pausedUntil: Timestamp
    private var pause = Self.firstPause
    private var answers = 0

    init(rate: Double, at now: Timestamp) {
        wanted = rate
        self.rate = rate
        next = now
        pausedUntil = now
    }

    /// Takes the next place for a request.
    /// - Returns: how long to wait before it.
    mutating func take(at now: Timestamp) -> Duration {
        let start = max(now, next)
        next = start + .microseconds(Int64(1_000_000 / rate))
        return start - now
    }

    /// Apple has answered.
    mutating func answered() {
        pause = Self.firstPause
        answers += 1
        guard answers >= Self.answersToRecover, rate < wanted else { return }
        answers = 0
        rate = min(wanted, rate * 1.25)
    }

    /// Apple gave no answer. It is asked again after a pause, as often as before.
    mutating func lostAnswer(at now: Timestamp) {
        guard now >= pausedUntil else { return }
        pausedUntil = now + pause
        pause = min(Self.maximumPause, pause * 2)
        next = max(next, pausedUntil)
    }

    /// Apple wants to be asked less often.
    ///
    /// Several requests that were on their way at once make it slower once.
    /// - Parameter wish: how long Apple wants not to be asked, where it said so.
    mutating func slowDown(for wish: Duration?, at now: Timestamp) {
        answers = 0
        if now >= pausedUntil {
            rate = max(min(wanted, Self.slowestRate), rate / 2)
            // A wish of no time at all would be over at once, and the answers of the same moment would each count.
            pausedUntil = now + (wish.map { max($0, Self.firstPause) } ?? pause)
            pause = min(Self.maximumPause, pause * 2)
        } else if let wish {
            pausedUntil = max(pausedUntil, now + wish)
        }
        next = max(next, pausedUntil)
    }
}
