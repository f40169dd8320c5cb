/// Something a test holds an answer back with, to look at what the app shows meanwhile or to cancel it.
///
/// ```swift
/// let signal = AuthorizationSignal()
/// let script = AuthorizationScript(.cancel.after(signal))
/// ```
public final class AuthorizationSignal: Sendable {
    private let isSent = Watched(false)

    public init() {}

    /// Lets go of what waits, now and later.
    public func send() {
        isSent.update { $0 = true }
    }

    /// Returns after ``send()``, or when the task is cancelled.
    public func wait() async {
        await isSent.wait { $0 }
    }
}
