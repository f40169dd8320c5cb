public import AppleIDTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The values that a notification has to have, beyond being Apple's.
public struct NotificationExpectation: Sendable {
    /// The accepted audiences; an empty set refuses every notification. Apple sends to the primary App ID of a group,
    /// whichever of its clients the person used.
    public let audiences: Set<ClientID>
    /// The time at which the notification has to be valid; absent for the environment's clock.
    public let time: Date?

    /// Creates an expectation.
    /// - Parameter audiences: the primary App ID of each of your groups of apps.
    public init(audiences: Set<ClientID>, time: Date? = nil) {
        self.audiences = audiences
        self.time = time
    }
}
