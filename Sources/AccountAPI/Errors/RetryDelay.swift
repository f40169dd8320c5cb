/// When to ask again: `{"retryAfter"}`.
public struct RetryDelay: Hashable, Sendable, Codable {
    /// Whole seconds, as in the `Retry-After` header.
    public var retryAfter: Int

    public init(retryAfter: Int) {
        self.retryAfter = retryAfter
    }
}
