import AccountDatabase
import AppleID
package import Logging
import TaskSignals

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Tells the log when the database cannot do its work and why, once a minute for each cause, and when it can again.
///
/// Everything that asks the database for something passes through it.
package final class DatabaseWatch: Sendable {
    /// Reading and writing fail separately: a database whose disk is full still reads.
    package enum Part: String, Sendable {
        case reads
        case writes
    }

    private let outage = Lock(Outage())
    /// Whether `outage` is under way, for those who only have a success to tell: nearly always.
    private let isOut = Lock(false)
    private let now: @Sendable () -> Date
    private let logger: Logger

    package init(logger: Logger, now: @escaping @Sendable () -> Date = { Date() }) {
        self.logger = logger
        self.now = now
    }

    /// Runs what asks the database for something, and takes note of how it ends.
    package func watching<Value>(_ part: Part, _ body: () async throws -> Value) async throws -> Value {
        do {
            let value = try await body()
            noteSuccess(of: part)
            return value
        } catch {
            note(error, of: part)
            throw error
        }
    }

    /// Takes note of an error that is thrown on to a caller.
    package func note(_ error: any Error, of part: Part) {
        guard let error = error as? AccountError, error.code == .unavailable else {
            // The database answered, and what it answered was not to the caller's liking.
            return noteSuccess(of: part)
        }
        // An error without such a cause is the program's own: it closes the database.
        guard let words = error.wordsOfDatabase else { return }
        let moment = now()
        let suppressed = outage.withLock { outage in
            defer { isOut.withLock { $0 = true } }
            return outage.failed(error.reason, in: part.rawValue, at: moment)
        }
        guard let suppressed else { return }
        logger.warning(
            "The database cannot do its work.",
            metadata: ["reason": "\(error.reason)", "cause": "\(words)", "suppressed": "\(suppressed)"])
    }

    /// Takes note of an answer of the database's.
    package func noteSuccess(of part: Part) {
        guard isOut.withLock({ $0 }) else { return }
        let moment = now()
        let end = outage.withLock { outage in
            defer { isOut.withLock { [isUnderWay = outage.isUnderWay] in $0 = isUnderWay } }
            return outage.worked(in: part.rawValue, at: moment)
        }
        guard let end else { return }
        logger.notice(
            "The database answers again.",
            metadata: ["seconds": "\(end.duration.components.seconds)", "failures": "\(end.failures)"])
    }
}

extension AccountError {
    /// The words of the database engine that could not do its work, in one line; nil for an error with another cause.
    /// ``DatabaseWatch`` has told the log of such an error with the code ``Code/unavailable``.
    package var wordsOfDatabase: String? { (cause as? any DatabaseFailure)?.words }
}
