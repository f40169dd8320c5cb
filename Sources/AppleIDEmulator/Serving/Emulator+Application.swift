import HTTPConnections
public import Hummingbird
import HummingbirdCore
import HummingbirdTLS
public import NIOSSL

extension Emulator {
    /// A server for this emulator, to be run in a service group or by itself.
    ///
    /// - Parameters:
    ///   - host: beyond loopback (`localhost` and loopback addresses) the control calls need the configured token.
    ///   - port: 0 lets the system choose.
    ///   - onServerRunning: is told the port once connections are accepted.
    public func application(
        host: String = "127.0.0.1", port: Int = 4010,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let count = connectionCount
        return application(
            server: Self.plain(count), count: count, host: host, port: port, onServerRunning: onServerRunning)
    }

    /// The same with TLS, for clients that take nothing else. The configuration's base URL should begin with `https`.
    ///
    /// - Throws: when the configuration cannot be used.
    public func application(
        host: String = "127.0.0.1", port: Int = 4010, tls: TLSConfiguration,
        onServerRunning: @escaping @Sendable (_ port: Int) async -> Void = { _ in }
    ) throws -> some ApplicationProtocol {
        let count = connectionCount
        return application(
            server: try .tls(Self.plain(count), tlsConfiguration: tls), count: count, host: host, port: port,
            onServerRunning: onServerRunning)
    }

    /// Whether control calls, settings and inboxes of a server that listens there are closed, because other machines
    /// reach it and no control token is configured.
    package func isControlClosed(listeningOn host: String) -> Bool {
        authority.configuration.controlToken == nil && !LocalAccess.isLoopback(listeningOn: host)
    }

    private var connectionCount: ConnectionCount {
        let configuration = authority.configuration
        let shares = ConnectionShares(
            maximum: configuration.maximumConnections, perAddress: configuration.maximumConnectionsPerAddress)
        return ConnectionCount(maximum: shares.all, perNetwork: shares.perAddress)
    }

    private static func plain(_ count: ConnectionCount) -> HTTPServerBuilder {
        .guarded(
            HTTP1Channel.Configuration(
                additionalChannelHandlers: [OldVersionMark.Installer()],
                idleTimeout: .seconds(30),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)),
            count: count, writeTimeout: .seconds(30))
    }

    private func application(
        server: HTTPServerBuilder, count: ConnectionCount, host: String, port: Int,
        onServerRunning: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        let isExposed = !LocalAccess.isLoopback(listeningOn: host)
        let keys = SigningKeyService(authority: authority, logger: logger)
        let application = Application(
            router: Self.router(authority, pages, isExposed: isExposed),
            server: server,
            configuration: .init(
                address: .hostname(host, port: port), serverName: "siwa-emulator",
                availableConnectionsDelegate: count.delegate),
            services: [NotificationService(post: post, send: authority.environment.deliver), keys],
            onServerRunning: { channel in
                await onServerRunning(channel.localAddress?.port ?? port)
                keys.begin()
            },
            logger: logger
        )
        return addingRelay(to: application, host: host)
    }
}
