import AppleIDTransport
import HTTPTypes
import Logging
import TaskSignals

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sends the client's requests, and tells an ``AppleWatch`` how each of them ended.
struct WatchedTransport: AppleTransport {
    let transport: any AppleTransport
    let watch: AppleWatch

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        let start = watch.now()
        do {
            let response = try await transport.send(request)
            watch.record(response, to: request, sentAt: start)
            return response
        } catch {
            watch.record(error, for: request)
            throw error
        }
    }
}

/// Logs when Apple cannot be reached and why, when it can be reached again, and when this server's clock and Apple's
/// differ by more than tokens allow.
final class AppleWatch: Sendable {
    fileprivate struct State {
        /// The outages by host. There is one host, and one more where an emulator has moved.
        var outages: [String: Outage] = [:]
        var clock: ClockDifference?
        var clockLine: Date?
    }

    fileprivate static let clockInterval: TimeInterval = 3_600
    private let state = Lock(State())
    private let logger: Logger
    let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date, logger: Logger) {
        self.now = now
        self.logger = logger
    }

    func record(_ error: any Error, for request: AppleRequest) {
        // A caller's cancellation says nothing about Apple.
        guard !(error is CancellationError) else { return }
        let host = request.host
        let cause = (error as? TransportFailure)?.cause ?? .other
        let moment = now()
        guard
            let suppressed = state.withLock({
                $0.outages[host, default: Outage()].failed(cause.description, at: moment)
            })
        else { return }
        logger.warning(
            "Apple cannot be reached.",
            metadata: ["host": "\(host)", "cause": "\(cause)", "suppressed": "\(suppressed)"])
    }

    func record(_ response: AppleResponse, to request: AppleRequest, sentAt start: Date) {
        let host = request.host
        let moment = now()
        let difference = ClockDifference(response, sentAt: start, receivedAt: moment)
        let (end, clockLine) = state.withLock { state in
            (state.outages[host]?.worked(at: moment), state.record(difference, at: moment))
        }
        if let end {
            logger.notice(
                "Apple can be reached again.",
                metadata: [
                    "host": "\(host)", "seconds": "\(end.duration.components.seconds)", "failures": "\(end.failures)",
                ])
        }
        switch clockLine {
        case .differs(let difference):
            logger.warning(
                "This server's clock and Apple's differ. Let an NTP service set this one.",
                metadata: ["host": "\(host)", "ahead_seconds": "\(difference.ahead)"])
        case .agrees:
            logger.notice("This server's clock and Apple's agree again.", metadata: ["host": "\(host)"])
        case nil: break
        }
    }

    /// Adds what is known about this server's clock to an error that a wrong clock can bring about.
    func explain(_ error: AppleIDError) -> AppleIDError {
        guard [.issuedInFuture, .tokenExpired, .notificationTooOld].contains(error.code), error.cause == nil,
            let difference = state.withLock({ $0.clock })
        else { return error }
        return AppleIDError(error.code, error.reason, cause: difference, file: error.file, line: error.line)
    }
}

extension AppleWatch {
    fileprivate enum ClockLine {
        case differs(ClockDifference)
        case agrees
    }
}

extension AppleWatch.State {
    /// - Returns: The line for the log, if any.
    fileprivate mutating func record(_ difference: ClockDifference?, at moment: Date) -> AppleWatch.ClockLine? {
        guard let difference else { return nil }
        guard difference.isTooLarge else {
            defer { (clock, clockLine) = (nil, nil) }
            return clock == nil ? nil : .agrees
        }
        clock = difference
        if let clockLine, (0..<AppleWatch.clockInterval).contains(moment.timeIntervalSince(clockLine)) { return nil }
        clockLine = moment
        return .differs(difference)
    }
}

/// The difference between this server's clock and the clock of a server that answered.
package struct ClockDifference: Error, CustomStringConvertible {
    /// The difference in seconds, negative when this server's clock is behind.
    package let ahead: Int64

    /// Reads the response's `Date` (RFC 9110 §5.6.7), which has whole seconds. A response out of a cache is as old as
    /// its `Age` says. The time that the request took counts for neither clock.
    /// - Returns: Nil when the response doesn't say what time it is.
    init?(_ response: AppleResponse, sentAt start: Date, receivedAt end: Date) {
        let fields = response.head.headerFields
        guard let theirs = fields[values: .date].first.flatMap(Self.seconds) else { return nil }
        let answered =
            theirs + (fields[values: .age].first.flatMap { Int64($0) }.map { min(max(0, $0), 86_400 * 365) } ?? 0)
        if end.wholeSeconds < answered {
            ahead = end.wholeSeconds - answered
        } else {
            ahead = max(0, start.wholeSeconds - answered)
        }
    }

    /// Whether tokens of Apple's seem to come from the future, or to have expired, because of it.
    var isTooLarge: Bool { abs(ahead) > Leeway.seconds }

    /// Fit for logs.
    package var description: String {
        "this server's clock is \(abs(ahead).secondsForPeople) \(ahead < 0 ? "behind" : "ahead of") Apple's"
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` as seconds since 1970; nil for anything else.
    package static func seconds(_ text: String) -> Int64? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[5] == "GMT", parts[0].utf8.count == 4,
            let day = number(parts[1], digits: 2), let month = months.firstIndex(of: parts[2]),
            let year = number(parts[3], digits: 4)
        else { return nil }
        let time = parts[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = number(time[0], digits: 2), let minute = number(time[1], digits: 2),
            let second = number(time[2], digits: 2), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        // Days since 1970 in the Gregorian calendar, with years that begin in March.
        let years = year - (month < 2 ? 1 : 0)
        let monthOfYear = Int64((month + 10) % 12)
        let days = 365 * years + years / 4 - years / 100 + years / 400 + (153 * monthOfYear + 2) / 5 + day - 1 - 719_468
        return days * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring, digits: Int) -> Int64? {
        text.utf8.count == digits && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? Int64(text) : nil
    }
}
