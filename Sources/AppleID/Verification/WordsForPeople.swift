#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension String {
    /// A value out of a token, short and without anything that could disturb a terminal or a log.
    var quotedForPeople: String {
        let printable = unicodeScalars.map { $0.isASCII && $0.value >= 0x20 && $0.value != 0x7F ? Character($0) : "?" }
        return printable.count > 80 ? String(printable.prefix(80)) + "…" : String(printable)
    }
}

extension Int64 {
    /// `3,600 s`
    var secondsForPeople: String {
        var digits = String(magnitude)
        var index = digits.count - 3
        while index > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
            index -= 3
        }
        return (self < 0 ? "-" : "") + digits + " s"
    }

    /// Seconds since 1970 as RFC 3339 UTC.
    var timeForPeople: String {
        Date(timeIntervalSince1970: Double(self)).formatted(.iso8601)
    }
}
