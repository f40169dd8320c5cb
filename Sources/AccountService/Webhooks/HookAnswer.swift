/// What a hook says to a notice.
public enum HookAnswer: Hashable, Sendable {
    /// It is not told again.
    case taken
    /// It is told again, less and less often.
    /// - Parameter code: why, in one word for log and operator; never anything personal.
    case failed(code: String)
}
