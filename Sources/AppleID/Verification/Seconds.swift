#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Date {
    /// Seconds since 1970, rounded down. A date that is too far away for that gets the farthest number.
    var wholeSeconds: Int64 {
        let seconds = timeIntervalSince1970.rounded(.down)
        return Int64(exactly: seconds) ?? (seconds < 0 ? -Self.farthest : Self.farthest)
    }

    /// The farthest number of seconds. It leaves room to add and subtract without overflow.
    private static let farthest = Int64.max / 4
}

/// The maximum difference between this server's clock and Apple's, in both directions.
///
/// Field reports have tokens of Apple's that were issued a few seconds in the future.
enum Leeway {
    static let seconds: Int64 = 60
}
