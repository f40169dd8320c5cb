import AppleID
import Foundation

/// This machine's clock beside the time in Apple's answer.
enum ClockCheck {
    private static let name = "clock"

    /// - Parameter header: the answer's `Date` (RFC 9110 §5.6.7), in whole seconds.
    /// - Returns: also whether the clocks agree well enough for tokens and secrets; nil when nothing is known.
    static func examine(_ header: String?, now: Date) -> (finding: Finding, isRight: Bool?) {
        guard let header, let theirs = ClockDifference.seconds(header) else {
            return (.skipped(name, "the answer does not say what time it is"), nil)
        }
        let ahead = Int64((now.timeIntervalSince1970 - Double(theirs)).rounded())
        let word = ahead < 0 ? "behind" : "ahead of"
        switch abs(ahead) {
        case 0...5: return (.passed(name, "it agrees with Apple's to \(max(1, abs(ahead))) s"), true)
        case 6...60:
            return (
                .warned(
                    name, "clock_drifts", "it is \(abs(ahead)) s \(word) Apple's", hint: "let an NTP service set it"),
                true
            )
        default:
            return (
                .failed(
                    name, "clock_wrong", "it is \(TextForPeople.span(abs(ahead))) \(word) Apple's",
                    hint: ahead < 0
                        ? "client secrets have expired when they arrive, and tokens seem to come from the "
                            + "future; let an NTP service set it"
                        : "client secrets come from the future, and tokens seem to have expired; let an NTP "
                            + "service set it"
                ),
                false
            )
        }
    }
}
