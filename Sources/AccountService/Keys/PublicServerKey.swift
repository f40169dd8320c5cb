/// A public key of ours: P-256, for ES256 (RFC 7518, 6.2.1).
public struct PublicServerKey: Hashable, Sendable {
    public let id: ServerKeyID
    /// 32 bytes, big-endian.
    public let x: [UInt8]
    /// 32 bytes, big-endian.
    public let y: [UInt8]
}
