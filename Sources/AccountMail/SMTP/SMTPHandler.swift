import AccountService
import NIOCore
import NIOSSL
import NIOTLS
import TaskSignals

/// The time limits of the steps of a delivery.
///
/// RFC 5321 §4.5.3.2 asks for minutes. These are shorter, because a mail that times out is tried again, and because one
/// attempt of the outbox has two minutes.
struct SMTPLimits: Sendable {
    /// For name resolution and connecting.
    var connect = TimeAmount.seconds(10)
    var handshake = TimeAmount.seconds(15)
    /// For the greeting, and for the reply to a command.
    var reply = TimeAmount.seconds(30)
    /// For sending the mail, and for its reply. Servers examine the mail meanwhile.
    var text = TimeAmount.seconds(90)
    /// For the reply to QUIT, after the outcome is known.
    var quit = TimeAmount.seconds(5)

    func limit(of step: SMTPDialogue.Step) -> TimeAmount? {
        switch step {
        case .handshake: handshake
        case .text: text
        case .quit: quit
        case .ended: nil
        case .greeting, .hello, .startTLS, .authentication, .sender, .recipient, .data: reply
        }
    }
}

/// Runs a dialogue on a connection.
///
/// It works on the connection's event loop. So TLS begins between two reads, and no plain text can come in between.
final class SMTPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var dialogue: SMTPDialogue
    private let limits: SMTPLimits
    /// Makes the handler that speaks TLS with the server.
    private let makeTLSHandler: () throws -> NIOSSLClientHandler
    private let outcome: OneShot<SMTPOutcome>
    private var deadline: Scheduled<Void>?
    private var timedStep: SMTPDialogue.Step?

    init(
        _ dialogue: SMTPDialogue, limits: SMTPLimits, outcome: OneShot<SMTPOutcome>,
        makeTLSHandler: @escaping () throws -> NIOSSLClientHandler
    ) {
        self.dialogue = dialogue
        self.limits = limits
        self.outcome = outcome
        self.makeTLSHandler = makeTLSHandler
    }

    func channelActive(context: ChannelHandlerContext) { perform([], context) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        perform(dialogue.receive(unwrapInboundIn(data).readableBytesView), context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent {
            perform(dialogue.tlsBegan(), context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        perform(dialogue.connectionEnded(.connectionLost), context)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        perform(dialogue.connectionEnded(MailFailure(of: error)), context)
    }

    private func perform(_ actions: [SMTPDialogue.Action], _ context: ChannelHandlerContext) {
        limitTime(context)
        for action in actions {
            switch action {
            case .send(let bytes): context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .startTLS:
                do {
                    try context.pipeline.syncOperations.addHandler(makeTLSHandler(), position: .first)
                } catch {
                    perform(dialogue.connectionEnded(.tlsFailed), context)
                }
            case .finish(let result): outcome.deliver(.success(result))
            case .close: context.close(promise: nil)
            }
        }
    }

    /// The limit is for the whole step: a server that sends a byte now and then gains no time.
    private func limitTime(_ context: ChannelHandlerContext) {
        guard dialogue.step != timedStep else { return }
        timedStep = dialogue.step
        deadline?.cancel()
        deadline = limits.limit(of: dialogue.step).map { limit in
            context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
                self.perform(self.dialogue.timedOut(), context)
            }
        }
    }
}

extension MailFailure {
    /// Finds the reason in an error of NIO's.
    init(of error: any Error) {
        switch error {
        case let failure as MailFailure: self = failure
        case ChannelError.connectTimeout: self = .timedOut
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: self = .certificateWrongHost
        case NIOSSLError.uncleanShutdown: self = .connectionLost
        case NIOSSLError.handshakeFailed(.sslError(let errors)):
            let isCertificate = errors.contains { $0.description.contains("CERTIFICATE_VERIFY_FAILED") }
            self = isCertificate ? .certificateNotTrusted : .tlsFailed
        case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self = .tlsFailed
        default: self = .connectionLost
        }
    }
}
