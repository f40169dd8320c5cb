/// The passwords that are hashed now, and those that wait, in the order in which they came: at most so many at once,
/// and at most so many waiting.
///
/// One network may have all places as long as nobody else wants one. In a full queue a network that has fewer places
/// than another gets one of the other's, so that no network keeps the others out.
///
/// The queue decides and does nothing: the owner starts a thread for each job that ``admit(_:as:of:)`` starts, and each
/// thread takes jobs until ``next()`` has none.
struct HashQueue<Job> {
    enum Admission {
        /// A new thread does the job.
        case starts
        case waits
        /// The job waits in the place of another one, which has left the queue.
        case replaces(Job)
        case isFull
    }

    private struct Entry {
        let id: UInt64
        let network: CountedNetwork?
        let job: Job
    }

    let threads: Int
    let maximumLength: Int
    private(set) var running = 0
    private var jobs: [Entry] = []

    init(threads: Int, maximumLength: Int) {
        self.threads = threads
        self.maximumLength = maximumLength
    }

    var waiting: Int { jobs.count }

    /// - Parameter network: the network that asks; nil counts as one, too.
    mutating func admit(_ job: Job, as id: UInt64, of network: CountedNetwork? = nil) -> Admission {
        if running < threads {
            running += 1
            return .starts
        }
        let entry = Entry(id: id, network: network, job: job)
        guard jobs.count >= maximumLength else {
            jobs.append(entry)
            return .waits
        }
        guard let index = placeToGive(to: network) else { return .isFull }
        let former = jobs.remove(at: index).job
        jobs.append(entry)
        return .replaces(former)
    }

    /// The last place of the network that has the most; nil unless it still has as many as the other one then.
    private func placeToGive(to network: CountedNetwork?) -> Int? {
        let places = Dictionary(grouping: jobs, by: \.network).mapValues(\.count)
        guard let most = places.values.max(), most > places[network, default: 0] + 1 else { return nil }
        return jobs.lastIndex { places[$0.network] == most }
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

extension HashQueue.Admission: Equatable where Job: Equatable {}
