public import AppleIDTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a notification has to be, beyond being Apple's.
public struct NotificationExpectation: Sendable {
    /// One of these has to be the notification's audience; an empty set refuses every notification. Apple sends to the
    /// primary App ID of a group, whichever of its clients the person used.
    public let audiences: Set<ClientID>
    /// When the notification has to be valid; the environment's clock when absent.
    public let time: Date?

    /// - Parameter audiences: the primary App ID of each of your groups of apps.
    public init(audiences: Set<ClientID>, time: Date? = nil) {
        self.audiences = audiences
        self.time = time
    }
}
