import AsyncHTTPClient
import CommandIO
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceLifecycle
import TaskSignals

/// A file that is there while a server answers, and tells scripts where.
struct ReadyFile: Sendable {
    let path: String

    /// Removes the file of a run that was killed, because that server is gone.
    func clear() throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw Failure("the file \(path) cannot be written")
        }
    }

    /// Writes the members as one JSON object, for the owner alone: a token may be among them.
    /// - Returns: what ``remove(_:)`` wants.
    func write(_ content: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let text = String(decoding: try encoder.encode(content), as: UTF8.self) + "\n"
        try AtomicFile.write(text, to: path, permissions: 0o600)
        return text
    }

    /// Removes the file if it still is what this run wrote; another run may have put its own there since.
    func remove(_ text: String) {
        guard let content = FileManager.default.contents(atPath: path), content == Data(text.utf8) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            complain("warning: the file \(path) could not be removed")
        }
    }
}

/// Runs an action once, after it was counted down, and then waits for the shutdown.
final class Countdown: Service {
    private let remaining: Lock<Int>
    private let done = OneShot<Void>()
    private let action: @Sendable () async throws -> Void

    init(_ count: Int, action: @escaping @Sendable () async throws -> Void) {
        self.remaining = Lock(count)
        self.action = action
    }

    func count() {
        let isDone = remaining.withLock { remaining in
            remaining -= 1
            return remaining == 0
        }
        if isDone { done.deliver() }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await self.done.wait()
        }
        guard !Task.isShuttingDownGracefully, !Task.isCancelled else { return }
        try await action()
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            // The group ends at once: so does this.
        }
    }
}

/// Checks that the servers that were just started answer.
struct ReadinessCheck: Sendable {
    /// The configuration with the trusted root; nil for the roots of the system.
    let tls: TLSConfiguration?

    /// - Throws: When one of them does not answer, within five seconds, with status 200.
    func expectAnswers(from urls: [String]) async throws {
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        // Both listen already: what fails once will fail again, and the first reason says most.
        configuration.connectionPool.retryConnectionEstablishment = false
        try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            for url in urls {
                let answer = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(5))
                guard answer.status == .ok else {
                    throw Failure("\(url) answers with status \(answer.status.code)")
                }
            }
        }
    }
}
