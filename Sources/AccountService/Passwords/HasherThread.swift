import Foundation

/// A thread that hashes passwords, and makes way for all other threads of the machine.
enum HasherThread {
    #if os(Linux) || os(Android)
        /// Linux's `SCHED_IDLE`, which the headers of some C libraries hide.
        private static let idlePolicy: Int32 = 5
        /// The highest niceness there is.
        private static let niceness: Int32 = 19
    #endif

    /// Starts a thread that has the lowest priority and does the work.
    static func start(_ work: @escaping @Sendable () -> Void) {
        let thread = Thread {
            lowerPriority()
            work()
        }
        thread.name = "siwa.passwords"
        thread.qualityOfService = .utility
        thread.start()
    }

    /// Does the work, and then rests if other threads needed the processor meanwhile.
    static func thenRest(after work: () -> Void) {
        let (start, computed) = (ContinuousClock.now, processorTime)
        work()
        let pause = rest(computed: processorTime - computed, taken: .now - start)
        if pause > .zero { Thread.sleep(forTimeInterval: pause / .seconds(1)) }
    }

    /// The time to rest after some work: none on an idle machine. On a busy one, as long as the work used the processor.
    ///
    /// The priority alone doesn't suffice: what one core computes slows the other one down where both share their
    /// memory and execution units.
    /// - Parameters:
    ///   - computed: the time for which the thread used the processor.
    ///   - taken: the time that passed.
    static func rest(computed: Duration, taken: Duration) -> Duration {
        taken > computed * 5 / 4 ? computed : .zero
    }

    /// The time for which this thread has used the processor.
    private static var processorTime: Duration {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Lets this thread run only while no other thread has work, and makes way at once for a thread that wakes.
    ///
    /// On Linux a niceness alone isn't enough: a nice thread keeps its core for some milliseconds before the thread that
    /// woke. On Apple's systems niceness is the process's, and the quality of service says the same.
    private static func lowerPriority() {
        #if os(Linux) || os(Android)
            var parameters = sched_param()
            if unsafe pthread_setschedparam(pthread_self(), idlePolicy, &parameters) != 0 { _ = nice(niceness) }
        #endif
    }
}
