/// One entry of the outbox (`out_…`); part of what its seal is bound to.
///
/// The entry for a refresh token of Apple's has the token's own id (`atk_…`), so that the sealed token moves into the
/// outbox as it is and a transaction needs no key.
public struct OutboxID: ResourceID {
    public static let prefix = "out_"
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
