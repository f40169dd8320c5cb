package import ServiceLifecycle

/// A service that has its type's name in the log and the errors of its service group.
///
/// A group describes any other service by everything that it holds. For a domain that is megabytes at the level `debug`.
package protocol NamedService: Service, CustomStringConvertible {}

extension NamedService {
    package var description: String { "\(Self.self)" }
}

extension Service {
    /// Waits until the service group shuts down or is cancelled.
    func untilShutdown() async {
        do {
            try await gracefulShutdown()
        } catch {
            // It was cancelled, which is the end of the wait, too.
        }
    }
}
