import AppleIDTypes
import Logging
import NIOPosix
import ServiceLifecycle

/// Makes the keys beside the first one, once the server answers: making one takes up to half a second, and whoever
/// starts an emulator waits for one only.
final class SigningKeyService: Service {
    let authority: Authority
    let logger: Logger
    private let (signals, signal) = AsyncStream<Void>.makeStream()

    init(authority: Authority, logger: Logger) {
        self.authority = authority
        self.logger = logger
    }

    /// The server is running.
    func begin() { signal.finish() }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // However it ends: nobody waits for keys that will not come.
            defer { self.authority.furtherKeys.continuation.finish() }
            for await _ in self.signals {}
            do {
                while !Task.isCancelled, try await self.authority.addSigningKey() {}
            } catch is CancellationError {
                // The run ends before they are made.
            } catch {
                // What there is signs as well alone.
                self.logger.error(
                    "A further signing key could not be made", metadata: ["error.type": "\(type(of: error))"])
            }
        }
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            // The group ends at once: so does this.
        }
    }
}

extension SigningKey {
    /// Makes a key on a thread that may block, so that requests are answered in the meantime.
    static func make(id: KeyID) async throws -> SigningKey {
        try await NIOThreadPool.singleton.runIfActive { try SigningKey(id: id) }
    }
}
