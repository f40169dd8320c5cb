import Foundation

/// Text out of a token or an answer, for a terminal: short, and without anything that could disturb it.
package enum TextForPeople {
    package static func quoted(_ text: String, limit: Int = 200) -> String {
        var result = ""
        for scalar in text.unicodeScalars.prefix(limit) {
            switch scalar.properties.generalCategory {
            // The two joiners belong to letters and emoji, and disturb nothing.
            case .format where scalar == "\u{200C}" || scalar == "\u{200D}": result.unicodeScalars.append(scalar)
            case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
                result += "?"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.count > limit ? result + "…" : result
    }

    /// A number with its noun: `1 session`, `2 sessions`.
    package static func count(_ number: Int, _ one: String, _ several: String) -> String {
        "\(number) \(number == 1 ? one : several)"
    }

    /// Seconds since 1970 as RFC 3339 UTC, and how far that is from now.
    package static func time(_ seconds: Int64, now: Int64) -> String {
        guard (0...253_402_300_799).contains(seconds) else { return "no time that a calendar has" }
        let date = Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
        let span = span(abs(seconds - now))
        return seconds > now ? "\(date), in \(span)" : "\(date), \(span) ago"
    }

    /// Returns a time span in the largest unit that is not too coarse.
    package static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7_200: "\(seconds / 60) minutes"
        case ..<172_800: "\(seconds / 3_600) hours"
        default: "\(seconds / 86_400) days"
        }
    }
}
