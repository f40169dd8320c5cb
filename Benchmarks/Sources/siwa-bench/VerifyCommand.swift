import ArgumentParser
import Foundation

#if canImport(Glibc)
    import CoreFoundation
    import Glibc
#endif

/// Measures verifications of identity tokens: the raw RSA check of the same signatures, siwa's verifier, and JWTKit's;
/// and siwa's by one task and by sixteen.
///
/// The contenders take turns, round by round, over the same tokens. Rates are per second of processor time of the whole
/// process, which other programs on the machine disturb least, but for those of one task and sixteen, which are per
/// second on the clock; ratios are taken within a round.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "verify")

    @Option(help: "How many distinct tokens.")
    var tokens = 2_000

    @Option(help: "How many rounds are counted, after one that is not.")
    var rounds = 9

    @Option(help: "Milliseconds for each contender in each round.")
    var milliseconds = 300

    @Option(help: "So many verifications by siwa and nothing else, for a profiler; measures nothing.")
    var profile: Int?

    func run() async throws {
        let work = try await VerifyWork(tokens: tokens)
        if let profile {
            for number in 0..<profile { try await work.siwa(number) }
            return
        }
        let (rounds, milliseconds) = (rounds, milliseconds)
        // Off the main actor, where every await of an actor would cost a change of threads.
        let results = try await Task.detached {
            var results: [[Double]] = []
            for round in 0...rounds {
                let raw = try await Self.rate(for: milliseconds) { try work.raw($0) }
                let siwa = try await Self.rate(for: milliseconds) { try await work.siwa($0) }
                let jwtKit = try await Self.rate(for: milliseconds) { try await work.jwtKit($0) }
                let one = try await Self.rate(of: 1, for: milliseconds) { try await work.siwa($0) }
                let sixteen = try await Self.rate(of: 16, for: milliseconds) { try await work.siwa($0) }
                if round > 0 { results.append([raw, siwa, jwtKit, one, sixteen]) }
            }
            return results
        }.value
        var output: [String: [String: Any]] = [:]
        let names = ["verify.raw", "verify.siwa", "verify.jwtkit", "verify.tasks.1", "verify.tasks.16"]
        for (index, name) in names.enumerated() {
            let base = index < 3 ? 0 : 3
            output[name] = [
                "perSecond": Self.median(results.map { $0[index] }).rounded(),
                "ratio": (Self.median(results.map { $0[index] / $0[base] }) * 1_000).rounded() / 1_000,
                "of": names[base],
            ]
        }
        let json = try JSONSerialization.data(withJSONObject: output, options: [.sortedKeys, .prettyPrinted])
        print(String(decoding: json, as: UTF8.self))
    }

    /// How often an operation runs in a second of processor time.
    private static func rate(for milliseconds: Int, _ operation: (Int) async throws -> Void) async throws -> Double {
        let start = processorTime()
        let end = start + Double(milliseconds) / 1_000
        var count = 0
        while processorTime() < end {
            for _ in 0..<100 {
                try await operation(count)
                count += 1
            }
        }
        return Double(count) / (processorTime() - start)
    }

    /// How often an operation runs in a second on the clock when so many tasks do it at once.
    private static func rate(
        of tasks: Int, for milliseconds: Int, _ operation: @escaping @Sendable (Int) async throws -> Void
    ) async throws -> Double {
        let start = ContinuousClock.now
        let end = start + .milliseconds(milliseconds)
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<tasks {
                group.addTask {
                    var count = 0
                    while ContinuousClock.now < end {
                        for _ in 0..<100 {
                            try await operation(task * 125 + count)
                            count += 1
                        }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }
}
