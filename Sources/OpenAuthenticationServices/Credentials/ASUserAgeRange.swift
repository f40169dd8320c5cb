/// Whether the person is a child, as far as Apple's device tells it.
public enum ASUserAgeRange: Int, Sendable {
    /// Always so off Apple's platforms.
    case unknown = 0
    case child = 1
    case notChild = 2
}
