/// A point in time as RFC 3339 writes it.
enum InternetTime {
    /// Reads `2030-01-31T12:00:00Z`, also with a fraction of a second, which is dropped, and with an offset.
    /// - Returns: Seconds since 1970; nil for a text of another form, and for a day that no calendar has.
    static func seconds(_ text: String) -> Int64? {
        var rest = text.utf8[...]
        guard let year = number(&rest, digits: 4), skip("-", &rest), let month = number(&rest, digits: 2),
            skip("-", &rest), let day = number(&rest, digits: 2), skip("Tt", &rest),
            let hour = number(&rest, digits: 2), skip(":", &rest), let minute = number(&rest, digits: 2),
            skip(":", &rest), let second = number(&rest, digits: 2), (1...12).contains(month),
            (1...length(of: month, in: year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        if skip(".", &rest) {
            let fraction = rest.prefix(while: \.isDigit)
            guard !fraction.isEmpty else { return nil }
            rest = rest[fraction.endIndex...]
        }
        guard let offset = offset(&rest), rest.isEmpty else { return nil }
        return days(to: year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second - offset
    }

    /// The offset from UTC in seconds.
    private static func offset(_ rest: inout Substring.UTF8View) -> Int64? {
        if skip("Zz", &rest) { return 0 }
        let isEast = rest.first == UInt8(ascii: "+")
        guard skip("+-", &rest), let hours = number(&rest, digits: 2), skip(":", &rest),
            let minutes = number(&rest, digits: 2), hours < 24, minutes < 60
        else { return nil }
        return (isEast ? 1 : -1) * (hours * 3_600 + minutes * 60)
    }

    private static func number(_ rest: inout Substring.UTF8View, digits: Int) -> Int64? {
        let taken = rest.prefix(digits)
        guard taken.count == digits, taken.allSatisfy(\.isDigit) else { return nil }
        rest = rest.dropFirst(digits)
        return taken.reduce(0) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
    }

    /// Drops one of these characters; false if another one is there.
    private static func skip(_ characters: String, _ rest: inout Substring.UTF8View) -> Bool {
        guard let first = rest.first, characters.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    }

    private static func length(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days from the beginning of 1970 to a day.
    private static func days(to year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        // The days of whole years since the year 0, which is a leap year.
        func beforeYear(_ year: Int64) -> Int64 {
            year == 0 ? 0 : year * 365 + (year - 1) / 4 - (year - 1) / 100 + (year - 1) / 400 + 1
        }
        let months = (1..<month).reduce(0) { $0 + length(of: $1, in: year) }
        return beforeYear(year) - beforeYear(1_970) + months + day - 1
    }
}
