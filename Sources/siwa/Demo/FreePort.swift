import NIOCore
import NIOPosix

/// Finds a port of this machine that nobody listens on.
enum FreePort {
    /// The port that was asked for, or a free one for 0.
    ///
    /// Between this answer and its use somebody else may take the port; a caller that asked for 0 tries again then.
    static func choose(_ wanted: Int) async throws -> Int {
        guard wanted == 0 else { return wanted }
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port
        try await channel.close()
        guard let port else { throw Failure("the system names no free port") }
        return port
    }
}
