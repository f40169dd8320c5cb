import AppleIDTypes
import Logging
import NIOPosix
import ServiceLifecycle
import TaskSignals

/// Makes the keys beside the first one, once the server answers: making one takes up to half a second, so the start of
/// an emulator waits for one key only.
final class SigningKeyService: Service {
    let core: EmulatorCore
    let logger: Logger
    private let isServerRunning = OneShot<Void>()

    init(core: EmulatorCore, logger: Logger) {
        self.core = core
        self.logger = logger
    }

    /// Makes the keys from now on: the server is running.
    func begin() { isServerRunning.deliver() }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // However the work ends, callers that wait for the keys go on.
            defer { self.core.furtherKeys.deliver() }
            await self.isServerRunning.wait()
            do {
                while !Task.isCancelled, try await self.core.addSigningKey() {}
            } catch is CancellationError {
                // The run ends before they are made.
            } catch {
                // The emulator goes on with the keys that it has.
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

extension EmulatorCore {
    /// The number of keys that Apple's key set has had for years.
    static let usualKeys = 3

    /// The keys that `/auth/keys` shows.
    var publishedKeys: [SigningKey] {
        let state = current
        return state.behaviour.publishedKeys == .signingKey ? Array(state.signingKeys.prefix(1)) : state.signingKeys
    }

    /// Makes one more key, if there are fewer than usual; it is published and signs nothing.
    /// - Returns: whether more keys may be missing.
    func addSigningKey() async throws -> Bool {
        guard configuration.signingKey == nil, signingKeys.count < Self.usualKeys else { return false }
        let key = try await SigningKey.make(id: KeyID(randomness.portalID()))
        try step { $0.addSpare(key) }
        try await saveState()
        return true
    }

    /// Makes a key that signs from now on.
    func rotateKeys() async throws {
        let key = try await SigningKey.make(id: KeyID(randomness.portalID()))
        try step { (state) throws(Refusal) in try state.rotate(to: key) }
        try await saveState()
    }
}
