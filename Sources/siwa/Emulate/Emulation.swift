import AppleIDEmulator
import CommandIO
import Foundation
import HTTPConnections
import Hummingbird
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import TaskSignals
import UnixSignals

/// One run of `siwa emulate`.
@available(siwaServer 1.0, *)
struct Emulation: Sendable {
    let settings: EmulateSettings

    /// Runs until the process is told to stop.
    func run() async throws {
        try settings.readyFile?.clear()
        let logger = Logger.standard()
        do {
            let portal = try settings.portal.map { try PortalFile.read($0, isStrict: settings.emulator.strictURLs) }
            if portal != nil, let state = settings.emulator.stateFile, FileManager.default.fileExists(atPath: state) {
                complain("warning: \(state) is there already, and its portal goes before the one in --portal")
            }
            let tls = settings.usesTLS ? try certificates() : nil
            var configuration = settings.emulator
            let shares = try ConnectionBounds.prepare(
                maximum: configuration.maximumConnections, perAddress: configuration.maximumConnectionsPerAddress,
                logger: logger)
            configuration.maximumConnections = shares.all
            configuration.maximumConnectionsPerAddress = shares.perAddress
            configuration.rootCertificate = try tls?.authority.root.certificatePEM
            let emulator = try await Emulator(configuration: configuration, portal: portal, logger: logger)
            try await run(emulator, tls: tls, logger: logger)
        } catch let error as EmulatorError {
            throw Failure("\(error)", isUsage: error.code == .invalidConfiguration)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw Failure("port \(settings.port) is in use", hint: "--port takes another one, 0 a free one")
        } catch let error as IOError where error.errnoCode == EACCES {
            throw Failure(
                "this user may not listen on port \(settings.port)",
                hint: settings.isApple
                    ? "run it as root, or let everybody have the port: sysctl net.ipv4.ip_unprivileged_port_start=443"
                    : "--port takes another one, 0 a free one")
        }
    }

    private func run(_ emulator: Emulator, tls: LocalTLS?, logger: Logger) async throws {
        let written = Lock<String?>(nil)
        let bound = Lock<Int?>(nil)
        // A failure here ends the group, and so the command: a program that waits for the ready file sees it end.
        let started = Countdown(1) {
            if settings.baseURL == nil, let port = bound.withLock(\.self) {
                try await emulator.move(
                    to: "\(settings.scheme)://\(EmulateSettings.urlHost(settings.host)):\(port)")
            }
            let port = bound.withLock(\.self) ?? settings.port
            if let text = try settings.readyFile?.write(readiness(of: emulator, port: port)) {
                written.withLock { $0 = text }
            }
            try announce(emulator, port: port, root: tls?.authority.root)
        }
        defer { if let text = written.withLock({ $0 }) { settings.readyFile?.remove(text) } }
        let application = try application(emulator, tls: try tls?.serverConfiguration()) { port in
            bound.withLock { $0 = port }
            started.count()
        }
        try await ServiceGroup(
            services: [started, application], gracefulShutdownSignals: Hangup.endingSignals, logger: logger
        ).run()
    }

    private func application(
        _ emulator: Emulator, tls: TLSConfiguration?, onServerRunning: @escaping @Sendable (Int) async -> Void
    ) throws -> any Service {
        guard let tls else {
            return emulator.application(host: settings.host, port: settings.port, onServerRunning: onServerRunning)
        }
        return try emulator.application(
            host: settings.host, port: settings.port, tls: tls, onServerRunning: onServerRunning)
    }

    private func certificates() throws -> LocalTLS {
        let host = URL(string: settings.emulator.baseURL)?.host() ?? ""
        let isName = host != "localhost" && host.contains { $0.isLetter } && !host.contains(":")
        let tls = try LocalTLS(owner: "siwa emulate", domain: isName ? host : nil, at: Date())
        if let file = settings.rootFile {
            try AtomicFile.write(try tls.authority.root.certificatePEM, to: file, permissions: 0o644)
        }
        return tls
    }

    /// The facts that a script needs. A member without a value is left out.
    private struct Readiness: Encodable {
        let baseURL: String
        /// The URL for control calls with `--as-apple`: they want a loopback name.
        let controlURL: String?
        let controlToken: String?
        let rootCertificate: String?
        let mailPort: Int?
    }

    private func readiness(of emulator: Emulator, port: Int) -> Readiness {
        Readiness(
            baseURL: emulator.portal.baseURL, controlURL: settings.isApple ? settings.localURL(port: port) : nil,
            controlToken: settings.emulator.controlToken,
            rootCertificate: settings.rootFile, mailPort: emulator.mailPort)
    }

    private func announce(_ emulator: Emulator, port: Int, root: CertifiedKey?) throws {
        var baseURL = emulator.portal.baseURL
        say("siwa emulate: \(baseURL) stands in for Apple. It is not Apple. Ctrl-C ends it.")
        if settings.isApple {
            baseURL = settings.localURL(port: port)
            say("Add this line to /etc/hosts. While it is there, this machine doesn't reach Apple itself:")
            say("    \(settings.hostsLine)")
            say("Control calls are at \(baseURL)/emulator/.")
            if port != 443 { say("Clients ask port 443: lead it to port \(port).") }
        }
        if emulator.isControlClosed(listeningOn: settings.host) {
            complain(
                "warning: other machines reach \(settings.host), and there is no control token: the calls under "
                    + "/emulator/, /settings and /mail are closed. SIWA_EMULATE_CONTROL_TOKEN opens them to everybody "
                    + "who sends it.")
        }
        for url in emulator.portal.returnURLsOnOwnSite {
            complain(
                "warning: \(url) is on the emulator's own site, so browsers send SameSite cookies with the answer's form. "
                    + "With Apple they don't. Use localhost for one and 127.0.0.1 for the other.")
        }
        if let port = emulator.mailPort { say("Mail for relay addresses is taken on port \(port).") }
        guard let root else { return }
        let file = settings.rootFile.map { ", and in \($0)" } ?? ""
        say("Its certificate's root is at \(baseURL)/emulator-root.pem\(file). Trust it in tests only.")
        say("SHA-256 \(try root.fingerprint)")
    }
}
