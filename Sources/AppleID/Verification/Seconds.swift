#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Date {
    /// Seconds since 1970, rounded down; the far ends of time for dates that have no such number.
    var wholeSeconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds) ?? (seconds < 0 ? -Self.farthest : Self.farthest)
    }

    /// Leaves room to add and subtract without overflow.
    private static let farthest = Int64.max / 4
}

/// How far two clocks may be apart, both ways. Field reports have tokens of Apple's a few seconds in the future.
enum Leeway {
    static let seconds: Int64 = 60
}
