import AppleIDTypes

/// A notification, with the state of its delivery.
struct OutgoingNotification: Sendable {
    enum State: Sendable {
        /// The notification waits until a time, in seconds since 1970, by the emulator's clock.
        case waiting(until: Int64)
        case sending
        case delivered
        case failed
        /// The app had no notification URL, so the notification can't be sent.
        case unaddressed
    }

    enum Outcome: Sendable {
        case status(Int)
        /// No answer; a word for the reason.
        case unanswered(String)

        /// Whether the app accepted the notification. Apple asks for the status 200; other successes don't count.
        var isAccepted: Bool {
            if case .status(200) = self { true } else { false }
        }
    }

    struct Attempt: Sendable {
        /// Seconds since 1970.
        let at: Int64
        let outcome: Outcome
    }

    /// The seconds from a refused attempt to the next. Apple doesn't document its own. The sum stays within the day in
    /// which the notification is valid.
    static let delays: [Int64] = [5, 60, 600, 3_600, 21_600]

    /// The maximum number of attempts that are kept, because a notification can be repeated for ever. The latest are
    /// kept.
    static let maximumAttempts = 50

    /// The `jti`, the same in every delivery.
    let id: String
    let type: EventType
    let audience: ClientID
    var address: String?
    let createdAt: Int64
    let claims: JSONText
    /// The claims, signed.
    let payload: String
    var state: State
    var isHeld = false
    /// The latest attempts, ``maximumAttempts`` at most.
    private(set) var attempts: [Attempt] = []
    /// The number of refused attempts since the notification was made or replayed.
    var refusals = 0
    /// The number of further deliveries after the first accepted one, by order of a fault.
    var repeats = 0
    /// Whether a later notification to the same app goes first, by order of a fault.
    var waitsForNext = false

    var body: String { JSONText.object([("payload", .string(payload))]).text }

    var isWaiting: Bool {
        if case .waiting = state { true } else { false }
    }

    var isSending: Bool {
        if case .sending = state { true } else { false }
    }

    mutating func finish(_ outcome: Outcome, at now: Int64, deliversOnce: Bool) {
        if attempts.count >= Self.maximumAttempts { attempts.removeFirst() }
        attempts.append(Attempt(at: now, outcome: outcome))
        if outcome.isAccepted {
            state = repeats > 0 ? .waiting(until: now) : .delivered
            repeats = max(0, repeats - 1)
        } else if deliversOnce || refusals >= Self.delays.count {
            state = .failed
        } else {
            state = .waiting(until: now + Self.delays[refusals])
            refusals += 1
        }
    }
}
