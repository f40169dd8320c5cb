#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A time on the wire: RFC 3339 in UTC with whole seconds (`2026-11-21T08:30:00Z`).
///
/// Whole seconds, because that is what date decoders read everywhere without being told how.
public struct APITime: Hashable, Sendable, Codable {
    /// The whole seconds since 1970.
    public let secondsSince1970: Int64

    /// Makes a time from whole seconds since 1970.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Makes a time from a date. A fraction of a second is dropped.
    public init(_ date: Date) {
        self.init(secondsSince1970: Int64(date.timeIntervalSince1970.rounded(.down)))
    }

    /// The time as a date of Foundation's.
    public var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

    /// Reads RFC 3339, with fractions of a second and with other offsets than `Z` too.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        let whole = Date.ISO8601FormatStyle()
        let date =
            (try? whole.parse(text)) ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
        guard let date else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time of RFC 3339")
        }
        self.init(date)
    }

    /// Writes RFC 3339 in UTC.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// The time as answers have it: RFC 3339, in UTC and whole seconds.
    package var text: String {
        let (day, second) = secondsSince1970.quotientAndRemainder(dividingBy: 86_400)
        // Years before 1970 or after 9999 occur on nobody's clock, and only formatting handles them.
        guard day >= 0, second >= 0, day < 2_932_897 else { return date.formatted(.iso8601) }
        let (year, month, dayOfMonth) = Self.civil(day: Int(day))
        var text = Array("0000-00-00T00:00:00Z".utf8)
        Self.write(year, at: 0..<4, of: &text)
        Self.write(month, at: 5..<7, of: &text)
        Self.write(dayOfMonth, at: 8..<10, of: &text)
        Self.write(Int(second) / 3_600, at: 11..<13, of: &text)
        Self.write(Int(second) / 60 % 60, at: 14..<16, of: &text)
        Self.write(Int(second) % 60, at: 17..<19, of: &text)
        return String(decoding: text, as: UTF8.self)
    }

    private static func write(_ number: Int, at places: Range<Int>, of text: inout [UInt8]) {
        var rest = number
        for place in places.reversed() {
            text[place] += UInt8(rest % 10)
            rest /= 10
        }
    }

    /// Returns the date in the proleptic Gregorian calendar. Its years are taken to begin in March here, so that the
    /// leap day is the last; after 400 of them everything comes again.
    /// - Parameter day: since 1970.
    private static func civil(day: Int) -> (year: Int, month: Int, day: Int) {
        let day = day + 719_468
        let (era, dayOfEra) = day.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + 400 * era + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
