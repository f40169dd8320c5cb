public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

@available(siwaServer 1.0, *)
extension Emulator {
    /// Returns the notifications since the start or the last reset.
    public func notifications() async throws -> TestNotifications {
        try await controlled(.get, "/emulator/notifications")
    }

    /// Makes a notification about a person. It is delivered as all are: at once by a server, else by
    /// `Emulator.deliverNotifications()`.
    /// - Parameters:
    ///   - type: one of Apple's words, or any other to test how your server treats it.
    ///   - client: any client of the app's group.
    ///   - time: when it happened; nil for now.
    /// - Throws: ``ControlRefused``.
    @discardableResult
    public func sendNotification(
        _ type: String, about person: String = "johnny", to client: ClientID, at time: Date? = nil
    ) async throws -> TestNotification {
        try await controlled(
            .post, "/emulator/notifications",
            [
                "type": Member(text: type), "person": Member(text: person), "clientID": Member(text: client.rawValue),
                "eventTime": Member(number: time.map { Int(($0.timeIntervalSince1970 * 1_000).rounded()) }),
            ])
    }

    /// Holds notifications back from now on, as Apple does when it is late.
    public func holdNotifications() async throws {
        try await control(.post, "/emulator/notifications/hold", [:])
    }

    /// Releases the notifications that are held, and holds none from now on.
    public func releaseNotifications() async throws {
        try await control(.post, "/emulator/notifications/release", [:])
    }

    /// Releases one notification that is held, so that a test chooses the order.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func releaseNotification(_ id: String) async throws {
        try await control(.post, "/emulator/notifications/release", ["id": Member(text: id)])
    }

    /// Sends a notification once more, with the same payload.
    /// - Throws: ``ControlRefused`` for an unknown one.
    @discardableResult
    public func replayNotification(_ id: String) async throws -> TestNotification {
        try await controlled(.post, "/emulator/notifications/\(id)/replay", [:])
    }
}

/// The emulator's notifications.
public struct TestNotifications: Sendable, Decodable {
    /// Whether new ones are held back.
    public let held: Bool
    /// The number of old ones that the emulator has forgotten.
    public let dropped: Int
    /// The notifications, the oldest first.
    public let notifications: [TestNotification]
}

/// A notification of the emulator to an app's server.
public struct TestNotification: Hashable, Sendable, Decodable {
    /// An attempt to deliver a notification.
    public struct Attempt: Hashable, Sendable, Decodable {
        /// The status of the server's response; nil if there was none.
        public let status: Int?
        /// The reason if there was no response.
        public let error: String?
    }

    /// The notification's identifier, `jti` in the payload.
    public let id: String
    /// The event, in Apple's word.
    public let type: String
    /// The audience: the primary App ID.
    public let clientID: ClientID
    /// The address that it goes to; nil if the app has none.
    public let url: String?
    /// How far it is: `queued`, `held`, `sending`, `delivered`, `failed` or `unaddressed`.
    public let state: String
    /// The attempts so far.
    public let attempts: [Attempt]
    /// The signed token that the server gets.
    public let payload: String
}
