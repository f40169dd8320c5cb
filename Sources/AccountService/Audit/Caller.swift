public import AppleIDTypes

/// From where a request comes, as far as that is known.
///
/// Personal data: it is written to the audit and to the session that it opens, and nowhere else.
public struct Caller: Hashable, Sendable, Redacted {
    /// The network address, as text.
    public var address: String?
    public var device: DeviceName?

    public init(address: String? = nil, device: DeviceName? = nil) {
        self.address = address
        self.device = device
    }

    /// For what nobody's request causes, and where nothing is known.
    public static let unknown = Self()
}
