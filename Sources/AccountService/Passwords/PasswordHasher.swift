/// Hashes passwords on a few threads of its own, with a short queue before them.
package final class PasswordHasher: Sendable {
    /// Makes a hasher. It has no thread until there is work, and needs no stop.
    package init(_ settings: PasswordSettings) {
    }

    /// Hashes a password with the present cost and a new salt.
    /// - Throws: ``AccountError/Code/tooBusy`` when the queue is full; `CancellationError`.
    package func hash(_ password: Password) async throws -> PasswordHash {
        throw AccountError(.unavailable, "not written")
    }

    /// Returns whether a hash is this password's.
    /// - Parameter hash: nil for nobody's. Then a hash is computed all the same, so that the answer takes as long, and the
    ///   answer is no.
    /// - Throws: ``AccountError/Code/tooBusy`` when the queue is full; `CancellationError`.
    package func verify(_ password: Password, _ hash: PasswordHash?) async throws -> Bool {
        throw AccountError(.unavailable, "not written")
    }
}
