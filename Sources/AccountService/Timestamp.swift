public import struct Foundation.Date

/// A moment: whole microseconds since 1970, UTC. Stores keep timestamps, and rules compare them.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Microseconds since 1970, without leap seconds.
    public var microseconds: Int64

    /// Makes a moment from microseconds since 1970.
    public init(microseconds: Int64) {
        self.microseconds = microseconds
    }

    /// Makes a moment from a `Date` of Foundation.
    /// - Parameter date: cut to whole microseconds.
    public init(_ date: Date) {
        self.init(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded(.down)))
    }

    /// Makes a moment from seconds since 1970.
    package init(secondsSince1970 seconds: Int64) {
        self.init(microseconds: seconds * 1_000_000)
    }

    /// The moment as Foundation's `Date`.
    public var date: Date { Date(timeIntervalSince1970: Double(microseconds) / 1_000_000) }

    /// Whole seconds since 1970, as token claims carry them.
    package var secondsSince1970: Int64 {
        microseconds >= 0 ? microseconds / 1_000_000 : (microseconds - 999_999) / 1_000_000
    }

    /// Orders moments from the earlier to the later one.
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// The moment that lies a span later.
    public static func + (moment: Self, span: Duration) -> Self {
        Self(microseconds: moment.microseconds + span.wholeMicroseconds)
    }

    /// The moment that lies a span earlier.
    public static func - (moment: Self, span: Duration) -> Self {
        Self(microseconds: moment.microseconds - span.wholeMicroseconds)
    }

    /// The span from one moment to a later one.
    public static func - (later: Self, earlier: Self) -> Duration {
        .microseconds(later.microseconds - earlier.microseconds)
    }
}

extension Duration {
    fileprivate var wholeMicroseconds: Int64 {
        components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    }
}

extension Duration {
    package static func minutes(_ count: Int64) -> Duration { .seconds(count * 60) }
    package static func hours(_ count: Int64) -> Duration { .seconds(count * 3_600) }
    package static func days(_ count: Int64) -> Duration { .seconds(count * 86_400) }
}
