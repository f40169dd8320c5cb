#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How long a key set serves, in seconds since it was fetched.
package struct KeySetLifetime: Sendable {
    /// An older set is refreshed while it still serves.
    let freshness: TimeInterval
    /// An older set serves no longer.
    let endurance: TimeInterval

    package init(freshness: TimeInterval, endurance: TimeInterval) {
        self.freshness = freshness
        self.endurance = endurance
    }

    /// An hour and, while Apple fails, seven days.
    static let apple = Self(freshness: 3_600, endurance: 7 * 86_400)
}
