import Foundation

/// A place where the person is signed in, as the list shows it.
struct SessionRow: Hashable, Sendable {
    var id: String
    var isCurrent: Bool
    var isBrowser: Bool
    /// nil when nobody has said.
    var deviceName: String?
    /// The address that the session was opened from; nil when nobody knows it.
    var signInAddress: String?
    var lastUsedAt: Date
}
