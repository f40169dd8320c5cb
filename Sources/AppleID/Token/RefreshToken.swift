/// Apple's refresh token: valid until the person withdraws consent, and only with the client that obtained it.
///
/// Printing or mirroring it does not show it.
public struct RefreshToken: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    public let rawValue: String

    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    public var description: String { "RefreshToken(redacted)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
