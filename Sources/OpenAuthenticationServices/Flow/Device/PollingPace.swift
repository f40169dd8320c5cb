/// How long an app waits before it asks for the credential again.
///
/// A little more than the service demands, because the clocks of virtual machines run fast; more still after a
/// `slow_down`, which also adds five seconds (RFC 8628, section 3.5).
struct PollingPace: Hashable, Sendable {
    private var interval: Duration
    private var stretch = 1.2
    private var demanded: Duration?

    /// - Parameter seconds: what the service says; less than a second or more than a minute is taken for that.
    init(seconds: Int) {
        interval = .seconds(min(max(seconds, 1), 60))
    }

    var pause: Duration {
        max(interval * stretch, demanded ?? .zero)
    }

    /// - Parameter demand: what the service asked for with the last answer.
    mutating func waited(atLeast demand: Duration? = nil) {
        demanded = demand
    }

    mutating func slowDown() {
        demanded = nil
        interval += .seconds(5)
        stretch = 1.4
    }
}
