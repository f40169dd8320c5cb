/// What a person must see before they allow a device: it may be somebody else's (RFC 8628 §5.4).
public struct DevicePrompt: Hashable, Sendable {
    public var appName: String
    /// The network address from which the device asked.
    public var address: String
    public var beganAt: Timestamp
    public var expiresAt: Timestamp
}
