import AppleIDTransport
import NIOCore
import NIOPosix
import NIOSSL
import TaskSignals

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Finds out why a server's certificate was refused, since the TLS library says only that it was.
///
/// A second connection reads the certificates and then refuses them, so nothing is ever sent over it. The result is
/// kept for a minute: so a server with a bad certificate isn't examined at every request.
final class CertificateCheck: Sendable {
    private static let timeLimit: TimeAmount = .seconds(2)
    private static let retention: Duration = .seconds(60)

    private struct Finding {
        let cause: TransportFailure.Cause
        let moment: ContinuousClock.Instant
    }

    /// The findings by host and port, which come from settings.
    private let findings = Lock<[String: Finding]>([:])

    /// - Returns: expired or not yet valid if a certificate's dates say so, otherwise not trusted.
    func cause(of host: String) async -> TransportFailure.Cause {
        if let known = findings.withLock({ $0[host] }), ContinuousClock.now - known.moment < Self.retention {
            return known.cause
        }
        let cause = await Self.examine(ServerOrigin("https://" + host)) ?? .certificateNotTrusted
        findings.withLock { $0[host] = Finding(cause: cause, moment: .now) }
        return cause
    }

    /// - Returns: nil when the server didn't present its certificates.
    private static func examine(_ origin: ServerOrigin?) async -> TransportFailure.Cause? {
        guard let origin else { return nil }
        let host = String(origin.host)
        let port = Int(origin.port ?? 443)
        let (verdicts, verdict) = AsyncStream<TransportFailure.Cause>.makeStream()
        var configuration = TLSConfiguration.makeClientConfiguration()
        // Nothing is trusted here; reading the system's list would take time.
        configuration.trustRoots = .certificates([])
        do {
            let context = try NIOSSLContext(configuration: configuration)
            let isAddress = (try? SocketAddress(ipAddress: host, port: port)) != nil
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(timeLimit)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(
                            context: context, serverHostname: isAddress ? nil : host,
                            customVerificationCallback: { certificates, decision in
                                verdict.yield(judge(certificates, at: Date()))
                                decision.succeed(.failed)
                            })
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: host, port: port).get()
            channel.closeFuture.whenComplete { _ in verdict.finish() }
            channel.eventLoop.scheduleTask(in: timeLimit) { channel.close(promise: nil) }
        } catch {
            // The server is gone meanwhile. All that is known about its certificate is that it was refused.
            return nil
        }
        return await verdicts.first { _ in true }
    }

    private static func judge(_ certificates: [NIOSSLCertificate], at now: Date) -> TransportFailure.Cause {
        let seconds = Int64(now.timeIntervalSince1970)
        if certificates.contains(where: { Int64($0.notValidAfter) < seconds }) { return .certificateExpired }
        if certificates.contains(where: { Int64($0.notValidBefore) > seconds }) { return .certificateNotYetValid }
        return .certificateNotTrusted
    }
}
