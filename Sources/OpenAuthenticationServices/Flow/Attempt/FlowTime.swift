import Foundation

/// The time as a flow sees it, so that tests do not wait.
package struct FlowTime: Sendable {
    package var now: @Sendable () -> Date
    package var sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Date, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    package static let system = Self(now: { Date() }, sleep: { try await Task.sleep(for: $0) })
}
