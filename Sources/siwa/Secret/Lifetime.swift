import AppleID
import ArgumentParser

/// How long a client secret lives, as a person writes it: `600s`, `10m`, `12h`, `30d`, or plain seconds.
struct Lifetime: ExpressibleByArgument, Hashable {
    let seconds: Int64

    init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Nil for what is no span, is zero, or is longer than Apple takes.
    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let unit = argument.last.flatMap { units[$0] }
        guard let number = Int64(unit == nil ? argument[...] : argument.dropLast()),
            (1...ClientSecret.longestLifetime).contains(number)
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflow, seconds <= ClientSecret.longestLifetime else { return nil }
        self.seconds = seconds
    }

    var defaultValueDescription: String { "1h" }
}
