extension SettingsReader {
    /// A span of time: a whole number with `m`, `h` or `d` behind it. Nil when absent.
    mutating func span(_ setting: Setting, in range: ClosedRange<Duration>) -> Duration? {
        guard let text = text(setting) else { return nil }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        // Nine digits are more than any range here, and no product of theirs overflows.
        if let unit = text.last.flatMap({ units[$0] }), text.utf8.count <= 10,
            text.utf8.dropLast().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = Int64(text.dropLast()), range.contains(.seconds(number * unit))
        {
            return .seconds(number * unit)
        }
        report(setting, "must be a span of time from \(Self.text(range.lowerBound)) to \(Self.text(range.upperBound))")
        return nil
    }

    private static func text(_ span: Duration) -> String {
        let seconds = span.components.seconds
        if seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
        return seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
    }
}
