public import struct Foundation.Date

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A moment on the wire: RFC 3339 in UTC with whole seconds (`2026-11-21T08:30:00Z`).
///
/// Whole seconds, because that is what date decoders read everywhere without being told how.
public struct APITime: Hashable, Sendable, Codable {
    /// Seconds since 1970; a fraction is dropped.
    public let secondsSince1970: Int64

    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    public init(_ date: Date) {
        self.init(secondsSince1970: Int64(date.timeIntervalSince1970.rounded(.down)))
    }

    public var date: Date { Date(timeIntervalSince1970: Double(secondsSince1970)) }

    /// Takes fractions of a second and other offsets than `Z` too, as RFC 3339 allows.
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

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }

    /// As it stands in an answer: RFC 3339, in UTC and whole seconds.
    package var text: String { date.formatted(.iso8601) }
}
