import Foundation

/// A thread that hashes passwords, and makes way for all other threads of the machine.
enum HasherThread {
    /// Added to the niceness of a thread. With more, a hash would hardly ever end on a machine that others keep busy.
    static let niceness: Int32 = 10
    /// On a busy machine a thread pauses this many times as long as it has computed.
    private static let pauseFactor = 2
    /// The greatest length of a pause. Where a hash takes a second or more, people would wait too long for the next one.
    private static let maximumPause = Duration.milliseconds(250)

    /// Starts a thread that does the work, with a low priority if it makes way for others.
    static func start(makingWay makesWay: Bool, _ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            if makesWay { lowerPriority() }
            work()
        }
        thread.name = "siwa.passwords"
        if makesWay { thread.qualityOfService = .utility }
        thread.start()
    }

    /// Does the work, and then pauses if other threads needed the processor meanwhile.
    static func thenPause(after work: () -> Void) {
        let (start, computed) = (ContinuousClock.now, processorTime)
        work()
        let pause = pauseAfterWork(computed: processorTime - computed, taken: .now - start)
        if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
    }

    /// The pause after some work: none on an idle machine. On a busy one, twice as long as the work used the
    /// processor, and a quarter of a second at most.
    ///
    /// The priority alone doesn't suffice. A thread that wakes waits some milliseconds for the core, however low the
    /// priority of the thread is that has it.
    /// - Parameters:
    ///   - computed: the time for which the thread used the processor.
    ///   - taken: the time that passed.
    static func pauseAfterWork(computed: Duration, taken: Duration) -> Duration {
        taken > computed * 5 / 4 ? min(computed * pauseFactor, maximumPause) : .zero
    }

    /// The time for which this thread has used the processor.
    static var processorTime: Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// On Linux a thread has a niceness of its own. On Apple's systems niceness is the process's, and the quality of
    /// service says the same.
    private static func lowerPriority() {
        #if os(Linux) || os(Android)
            _ = nice(niceness)
        #endif
    }
}
