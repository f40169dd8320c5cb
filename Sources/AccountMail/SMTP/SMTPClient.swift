import AccountService
import NIOCore
import NIOPosix
import NIOSSL
import TaskSignals

/// Connects to a mail server and delivers one mail, over a connection of its own.
struct SMTPClient: Sendable {
    let server: SMTPServer
    let credentials: SMTPDialogue.Credentials?
    /// The domain of this end, for EHLO.
    let localName: String
    let tls: NIOSSLContext
    var limits = SMTPLimits()

    /// Delivers a mail. Returns as soon as the outcome is known, or the calling task is cancelled.
    /// - Parameter mail: nil to examine the server without a mail.
    func deliver(_ mail: SMTPMail?) async -> SMTPOutcome {
        let dialogue = SMTPDialogue(
            mail, localName: localName, security: server.security, credentials: credentials)
        let outcome = OneShot<SMTPOutcome>()
        let connection = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(limits.connect)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if server.security == .tls {
                        try channel.pipeline.syncOperations.addHandler(makeTLSHandler())
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        SMTPHandler(dialogue, limits: limits, outcome: outcome, makeTLSHandler: makeTLSHandler))
                }
            }
            .connect(host: server.host, port: server.port)
        connection.whenFailure { error in outcome.deliver(.success(.failed(Self.connectionFailure(error)))) }
        do {
            return try await outcome.value()
        } catch {
            // Only the cancellation ends the wait without an outcome.
            connection.whenSuccess { $0.close(promise: nil) }
            return .failed(.cancelled)
        }
    }

    private func makeTLSHandler() throws -> NIOSSLClientHandler {
        let isAddress = (try? SocketAddress(ipAddress: server.host, port: server.port)) != nil
        // Without a name the certificate has to be for the address of the connection.
        return try NIOSSLClientHandler(context: tls, serverHostname: isAddress ? nil : server.host)
    }

    private static func connectionFailure(_ error: any Error) -> MailFailure {
        switch error {
        case ChannelError.connectTimeout: .timedOut
        case let error as NIOConnectionError
        where !error.connectionErrors.isEmpty && error.connectionErrors.allSatisfy(isTimeout):
            .timedOut
        default: .connectionFailed
        }
    }

    private static func isTimeout(_ error: SingleConnectionFailure) -> Bool {
        if case ChannelError.connectTimeout = error.error { return true }
        return false
    }
}
