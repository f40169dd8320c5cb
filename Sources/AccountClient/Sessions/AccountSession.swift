import AccountAPI
public import Foundation

/// One place where the person is signed in.
public struct AccountSession: Hashable, Sendable, Identifiable {
    /// The account service's identifier; opaque.
    public let id: String
    /// Whether it is a browser's session at the account service, and no app's.
    public let isBrowser: Bool
    /// The bundle or Services identifier through which the person signed in.
    public let clientID: String
    /// The name that the account service knows the app or website by; nil when it has none.
    public let appName: String?
    /// As the app calls its device, or a plain name of the browser; nil when nobody has said.
    public let deviceName: String?
    public let createdAt: Date
    /// The IP address that the session was opened from; nil when the account service doesn't know it.
    public let signInAddress: String?
    /// When the session was last renewed. A browser's is noted once an hour.
    public let lastUsedAt: Date
    /// When the session ends unless it is used before.
    public let expiresAt: Date
    /// Whether it is this device's own.
    public let isCurrent: Bool
    /// Which of the client's sessions it was current in.
    let era: Int

    init(_ session: ListedSession, era: Int) {
        id = session.id
        isBrowser = session.kind == "browser"
        clientID = session.clientID
        appName = session.appName
        deviceName = session.deviceName
        createdAt = session.createdAt.date
        signInAddress = session.signInAddress
        lastUsedAt = session.lastUsedAt.date
        expiresAt = session.expiresAt.date
        isCurrent = session.current
        self.era = era
    }
}
