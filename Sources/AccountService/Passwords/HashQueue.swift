/// The passwords that are hashed now, and those that wait, in the order in which they came: at most so many at once, and at
/// most so many waiting.
///
/// It decides and does nothing: the owner starts a thread for each job that ``admit(_:as:)`` starts, and each thread
/// takes jobs until ``next()`` has none.
struct HashQueue<Job> {
    enum Admission: Equatable {
        /// A new thread does the job.
        case starts
        case waits
        case isFull
    }

    let threads: Int
    let longest: Int
    private(set) var running = 0
    private var jobs: [(id: UInt64, job: Job)] = []

    init(threads: Int, longest: Int) {
        self.threads = threads
        self.longest = longest
    }

    var waiting: Int { jobs.count }

    mutating func admit(_ job: Job, as id: UInt64) -> Admission {
        if running < threads {
            running += 1
            return .starts
        }
        guard jobs.count < longest else { return .isFull }
        jobs.append((id, job))
        return .waits
    }

    /// The job for a thread that has done one; nil ends the thread.
    mutating func next() -> Job? {
        guard !jobs.isEmpty else {
            running -= 1
            return nil
        }
        return jobs.removeFirst().job
    }

    /// Takes a job out before its turn; nil when its turn has come.
    mutating func withdraw(_ id: UInt64) -> Job? {
        guard let index = jobs.firstIndex(where: { $0.id == id }) else { return nil }
        return jobs.remove(at: index).job
    }
}
