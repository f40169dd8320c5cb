import HTTPConnections
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore

/// Serves `GET /metrics`, on an address of its own.
@available(siwaServer 1.0, *)
enum ManagementServer {
    /// - Parameter connections: How many it has for itself, whatever the public address has.
    static func application(
        _ address: ManagementAddress, board: MetricsBoard, connections: Int, logger: Logger
    ) -> some ApplicationProtocol {
        let count = ConnectionCount(maximum: connections, perNetwork: connections)
        let router = Router()
        router.get("metrics") { _, _ in
            Response(
                status: .ok,
                headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
                body: ResponseBody(byteBuffer: ByteBuffer(string: board.text)))
        }
        return Application(
            router: router,
            server: .guarded(
                HTTP1Channel.Configuration(idleTimeout: .seconds(30)), count: count, writeTimeout: .seconds(30)),
            configuration: ApplicationConfiguration(
                address: .hostname(address.host, port: address.port), availableConnectionsDelegate: count.delegate),
            onServerRunning: { channel in
                logger.info(
                    "The management address answers.",
                    metadata: ["host": "\(address.host)", "management": "\(channel.localAddress?.port ?? 0)"])
            },
            logger: logger)
    }
}

/// The address at which an operator's programs ask a server about itself. Nobody else should reach it.
struct ManagementAddress: Hashable, Sendable {
    let host: String
    let port: Int

    /// Nil, unless a port is given.
    static func read(_ reader: inout SettingsReader) -> Self? {
        let host = reader.text(.managementHost)
        guard let port = reader.port(.managementPort) else {
            if host != nil, !reader.isRefused(.managementPort) {
                reader.report(.managementPort, "is missing: nothing listens without a port")
            }
            return nil
        }
        return Self(host: host ?? "127.0.0.1", port: port)
    }
}
