/// The accesses of a ``SessionMachine`` to storage: one is under way at a time, and the others wait for their turn.
///
/// Accesses are carried out in the order in which they were asked for.
struct StorageJobs: Sendable {
    /// A kind of access to storage.
    enum Work: Sendable {
        case load
        /// - Parameter replacing: whether the session counts in any case, because somebody has signed in or out here.
        case save(replacing: Bool)
    }

    /// Goes on after an access to storage.
    enum Step: Sendable {
        case firstRead
        case reread(RequestID, SessionEpoch)
        /// Only the pending names of another process are read.
        case rereadNames(RequestID)
        case reply(RequestID)
        case accessToken(RequestID)
        case refresh(SessionEpoch)
        case ending(String)
        case signIn(RequestID)
    }

    private struct Job: Sendable {
        var work: Work
        var steps: [Step]
        /// The record that is being written; nil before that has begun.
        var sent: StoredRecord?
        /// Whether the access under way is a replacing write of a record that has this write's changes, too.
        var isCovered = false
    }

    private var current: Job?
    private var waiting: [Job] = []

    /// The steps that follow the access under way.
    var steps: [Step] { current?.steps ?? [] }

    /// The record that is being written; nil when none is.
    var sent: StoredRecord? { current?.sent }

    /// Whether a write waits whose session counts in any case.
    var willReplace: Bool {
        waiting.contains { if case .save(replacing: true) = $0.work { true } else { false } }
    }

    /// Whether the access under way writes this record.
    func isWriting(_ record: StoredRecord) -> Bool { sent == record }

    /// Adds a step to the access under way.
    mutating func addStep(_ step: Step) {
        current?.steps.append(step)
    }

    mutating func addLoad(then step: Step) {
        waiting.append(Job(work: .load, steps: [step]))
    }

    /// Adds a write, or joins the last access that waits, if it is a write.
    mutating func addSave(replacing: Bool, then step: Step?) {
        let steps = step.map { [$0] } ?? []
        if let last = waiting.last, case .save(let alsoReplacing) = last.work {
            waiting[waiting.count - 1].work = .save(replacing: replacing || alsoReplacing)
            if replacing { waiting[waiting.count - 1].isCovered = false }
            waiting[waiting.count - 1].steps += steps
        } else {
            waiting.append(Job(work: .save(replacing: replacing), steps: steps))
        }
    }

    /// Starts the access whose turn it is.
    /// - Parameter record: the record that a write would write now.
    /// - Returns: the work to do; nil when no access waits, or one is under way.
    mutating func startNext(writing record: StoredRecord) -> Work? {
        guard current == nil, !waiting.isEmpty else { return nil }
        var job = waiting.removeFirst()
        if case .save = job.work { job.sent = record }
        let isReplacing = if case .save(replacing: true) = job.work { true } else { false }
        for index in waiting.indices { waiting[index].isCovered = isReplacing }
        current = job
        return job.work
    }

    /// Notes that the write under way has succeeded. If it was replacing, the covered writes don't replace what another
    /// process stores from now on.
    mutating func finishWrite() {
        for index in waiting.indices where waiting[index].isCovered {
            if case .save = waiting[index].work { waiting[index].work = .save(replacing: false) }
        }
    }

    /// Ends the access under way.
    mutating func end() {
        current = nil
    }
}
