import Crypto
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import SwiftASN1
import TaskSignals
import X509

/// A mail server that follows a script with every client.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        /// Sends this as it is, at once.
        case say(String)
        /// Waits for a line that begins so.
        case hear(String)
        case beginTLS(NIOSSLContext)
        case close
        /// Sends this again and again, until the client goes.
        case drip(String)
        /// Reads nothing more.
        case stopReading
    }

    /// The lines of all clients, as the server read them.
    let heard = Lock<[String]>([])
    private let script: [Step]

    private init(_ script: [Step]) {
        self.script = script
    }

    /// Runs a server until the body is done.
    /// - Returns: What the body returns, and what the server heard.
    static func run<Value: Sendable>(
        _ script: [Step], tls: NIOSSLContext? = nil, _ body: (_ port: Int) async throws -> Value
    ) async throws -> (Value, heard: [String]) {
        let server = ScriptedServer(script)
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            // Small, so that a server that reads nothing holds little.
            .childChannelOption(.socketOption(.so_rcvbuf), value: 4_096)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    try channel.pipeline.syncOperations.addHandler(Handler(server))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result<Value, any Error>
        do { result = .success(try await body(channel.localAddress?.port ?? 0)) } catch { result = .failure(error) }
        try await channel.close()
        return (try result.get(), server.heard.withLock { $0 })
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let server: ScriptedServer
        private var steps: ArraySlice<Step>
        private var buffer: [UInt8] = []
        private var lines: ArraySlice<String> = []

        init(_ server: ScriptedServer) {
            self.server = server
            steps = server.script[...]
        }

        func channelActive(context: ChannelHandlerContext) { goOn(context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            buffer += unwrapInboundIn(data).readableBytesView
            while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end].dropLast(), as: UTF8.self)
                buffer.removeFirst(end + 1)
                server.heard.withLock { $0.append(line) }
                lines.append(line)
            }
            goOn(context)
        }

        /// A client that refuses the certificate is one of the things to be seen.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func goOn(_ context: ChannelHandlerContext) {
            while let step = steps.first {
                switch step {
                case .say(let text): send(text, context)
                case .hear(let beginning):
                    guard let index = lines.firstIndex(where: { $0.hasPrefix(beginning) }) else { return }
                    lines = lines[(index + 1)...]
                case .beginTLS(let tls):
                    // The client's handshake is still to come: it waits for the reply before.
                    try? context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .first)
                case .close: context.close(promise: nil)
                case .drip(let text): drip(text, context)
                case .stopReading: context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
                }
                steps = steps.dropFirst()
            }
        }

        private func drip(_ text: String, _ context: ChannelHandlerContext) {
            guard context.channel.isActive else { return }
            send(text, context)
            context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(1)) { self.drip(text, context) }
        }

        private func send(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }
}

/// A certificate that vouches for itself.
struct TestCertificate {
    private let certificate: NIOSSLCertificate
    private let key: NIOSSLPrivateKey

    init(for names: [GeneralName]) throws {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("test") }
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date().addingTimeInterval(-3_600), notValidAfter: Date().addingTimeInterval(86_400),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames(names)
            },
            issuerPrivateKey: Certificate.PrivateKey(key))
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        self.certificate = try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der)
        self.key = try NIOSSLPrivateKey(bytes: Array(key.derRepresentation), format: .der)
    }

    static let localhost: [GeneralName] = [
        .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
    ]

    func server(maximum: TLSVersion? = nil) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv1
        configuration.maximumTLSVersion = maximum
        return try NIOSSLContext(configuration: configuration)
    }

    /// A client that trusts this certificate and no other.
    var client: TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([certificate])
        return configuration
    }
}
