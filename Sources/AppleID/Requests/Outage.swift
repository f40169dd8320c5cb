#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Decides which failures of one server are worth a line in the log: the first of each cause, then one a minute.
///
/// Causes come from code, so there are only so many. A server can have parts that fail by themselves, as a database
/// whose disk is full still reads; it works again when each part that failed works again.
package struct Outage {
    /// The end of an outage that the log knows about.
    package struct End: Equatable {
        /// The time from the first failure to the first success.
        package let duration: Duration
        /// The number of failures.
        package let failures: Int
    }

    private struct Line {
        var moment: Date
        var suppressed = 0
    }

    private static let interval: TimeInterval = 60
    private var lines: [String: Line] = [:]
    private var failingParts: Set<String> = []
    private var begin: Date?
    private var failures = 0
    private var isInLog = false

    package init() {}

    /// Whether a part has failed and has not worked since.
    package var isUnderWay: Bool { begin != nil }

    /// Records a failure.
    /// - Returns: the number of failures of this cause since its last line in the log; nil when this failure gets no
    ///   line.
    package mutating func failed(_ cause: String, in part: String = "", at now: Date) -> Int? {
        begin = begin ?? now
        failures += 1
        failingParts.insert(part)
        // A clock that was set back must not keep the log silent.
        if var line = lines[cause], (0..<Self.interval).contains(now.timeIntervalSince(line.moment)) {
            line.suppressed += 1
            lines[cause] = line
            return nil
        }
        let suppressed = lines[cause]?.suppressed ?? 0
        lines[cause] = Line(moment: now)
        isInLog = true
        return suppressed
    }

    /// Records a success.
    /// - Returns: the outage that ends. Nil when there was none, when another part still fails, and when the log has no
    ///   line about it, because the same cause was in the log less than a minute before.
    package mutating func worked(in part: String = "", at now: Date) -> End? {
        guard let begin else { return nil }
        failingParts.remove(part)
        guard failingParts.isEmpty else { return nil }
        defer {
            self.begin = nil
            failures = 0
            isInLog = false
        }
        guard isInLog else { return nil }
        return End(duration: .seconds(max(0, now.timeIntervalSince(begin))), failures: failures)
    }
}
