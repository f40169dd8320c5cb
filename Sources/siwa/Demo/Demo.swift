import AccountHTTP
import AccountMail
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTypes
import CommandIO
import Foundation
import HTTPConnections
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import TaskSignals
import UnixSignals
import WellKnownFiles

/// Service and emulator in one process, each on a port and a site of its own, talking to each other over HTTP.
@available(siwaServer 1.0, *)
struct Demo: Sendable {
    let port: Int
    let emulatorPort: Int
    /// nil for the usual one, or a free one where that is in use.
    let mailPort: Int?
    let folder: DataFolder
    let readyFile: ReadyFile?
    /// nil for a plain link to Apple.
    let script: SignInScript?
    /// nil for http.
    let tls: LocalTLS?
    /// The webhook; nil sends no changes of accounts.
    let webhookURL: WebhookURL?
    /// Served by the service under `/.well-known`.
    let wellKnownFiles: [WellKnownFile: CheckedFile]

    /// A store of a demo belongs to the demo's own emulator, on whatever port that is today.
    private static let storeOwner = "the emulator of this demo"
    /// Registered and verified in the emulator's portal, so that mail from it reaches relay addresses.
    private static let mailDomain = "juice.example.com"

    /// Runs until the process is told to stop.
    func run() async throws {
        try await DemoPorts.choose(service: port, emulator: emulatorPort, mail: mailPort, for: run(on:))
    }

    private func run(on ports: DemoPorts) async throws {
        let logger = Logger.standard(level: .warning)
        let addresses = DemoAddresses(ports, usesTLS: tls != nil)
        // One process, two servers: each has half of the connections.
        let shares = try ConnectionBounds.prepare(maximum: nil, perAddress: nil, logger: logger)
        let half = shares.all / 2
        var configuration = EmulatorConfiguration(
            baseURL: addresses.emulator, returnURLs: [addresses.service + SignIn.callbackPath],
            stateFile: folder.file("emulator.json"), rootCertificate: try tls?.authority.root.certificatePEM,
            mailPort: ports.mail)
        configuration.maximumConnections = half
        // The emulator's inbox also shows mail to other addresses, for people who sign up with an address.
        configuration.takesMailForOthers = true
        let emulator = try await Emulator(
            configuration: configuration, portal: Self.portal(configuration), logger: logger)
        // A kept emulator knows the addresses of its last run; the ports may be others today.
        for service in emulator.portal.teams.flatMap(\.apps).flatMap(\.services) {
            try await emulator.register(returnURL: addresses.service + SignIn.callbackPath, for: service.id)
        }
        if tls == nil {
            // If the demo used TLS, the emulator would have to trust the demo's own certificate to send notifications.
            for app in emulator.portal.teams.flatMap(\.apps) where app.primary == nil {
                try await emulator.register(
                    notificationURL: addresses.service + AppleNotifications.path, for: app.id)
            }
        }
        var settings = try settings(addresses, portal: emulator.portal, port: ports.service)
        settings.pages.limits.maximumConnections = half
        let written = Lock<String?>(nil)
        let running = Countdown(2) {
            try await ReadinessCheck(tls: try tls?.clientConfiguration()).expectAnswers(from: [
                addresses.service + "/readyz", addresses.emulator + "/.well-known/openid-configuration",
            ])
            if let text = try readyFile?.write(addresses) { written.withLock { $0 = text } }
            try announce(addresses)
        }
        defer { if let text = written.withLock({ $0 }) { readyFile?.remove(text) } }
        let server = try await ServeWiring.server(
            settings, tls: try tls?.serverConfiguration(), logger: logger,
            onServerRunning: { _ in running.count() })
        let emulatorApplication = emulator.application(
            host: "127.0.0.1", port: ports.emulator, onServerRunning: { _ in running.count() })
        // The emulator comes first, so that at the end sign-ins under way can still ask it.
        try await ServiceGroup(
            services: [emulatorApplication, running, server], gracefulShutdownSignals: Hangup.endingSignals,
            logger: logger
        ).run()
    }

    /// The portal of a new demo. A kept one has its own.
    private static func portal(_ configuration: EmulatorConfiguration) -> Portal {
        var portal = Portal.seeded(configuration: configuration)
        for team in portal.teams.indices {
            portal.teams[team].emailSources = [Portal.EmailSource(source: mailDomain, verified: true)]
        }
        return portal
    }

    /// Everything that a relying party configures by hand, read from the emulator's portal.
    private func settings(_ addresses: DemoAddresses, portal: Portal, port: Int) throws -> ServeSettings {
        let appName = "Juice"
        var clients: [ClientRegistration] = []
        for team in portal.teams {
            for app in team.apps {
                guard let key = app.keys.first else { continue }
                let clientKey = try AppleClientKey(id: key.id, team: team.id, pem: key.privateKey)
                clients.append(ClientRegistration(id: app.id, kind: .app, key: clientKey))
                clients += app.services.map { ClientRegistration(id: $0.id, kind: .service, key: clientKey) }
            }
        }
        var account = AccountConfiguration(
            publicURL: try PublicURL(addresses.service), keyRing: try folder.keyRing(),
            webClient: clients.first { $0.kind == .service }?.id,
            nativeClients: Set(clients.filter { $0.kind == .app }.map(\.id)))
        account.demoOwner = Self.storeOwner
        // A twenty-fourth of the usual work: a hash is slow if C isn't optimized, and no real password belongs in a demo.
        account.passwords = PasswordSettings(cost: PasswordCost(roundsExponent: 12, blockSize: 8, parallelism: 1))
        account.apps = [
            App(
                id: "juice", name: "Juice", bundleIDs: account.nativeClients, servicesID: account.webClient,
                returnTargets: [.loopback])
        ]
        let mail = try mail(port: addresses.mailPort, name: appName)
        var pages = AccountHTTPConfiguration(
            appName: appName, emulatorURL: addresses.emulator, signInScript: script)
        pages.wellKnownFiles = PublishedFiles(wellKnownFiles)
        return ServeSettings(
            host: "127.0.0.1", port: port, database: .file(folder.file("siwa.sqlite")),
            server: try .emulator(at: addresses.emulator), clients: clients, account: account,
            pages: pages,
            logLevel: .warning,
            webhook: try webhookURL.map { WebhookSettings(url: $0, secrets: try folder.webhookSecrets()) }, mail: mail)
    }

    /// Mail goes to the emulator, which files it in the inboxes of its people.
    private func mail(port: Int, name: String) throws -> MailServerSettings {
        let server = try SMTPServer("smtp://127.0.0.1:\(port)")
        let from = "accounts@\(Self.mailDomain)"
        return MailServerSettings(
            server: server, from: from,
            sender: try SMTPSender(server: server, from: from, fromName: name, templates: try MailTemplates()))
    }

    /// Says what to open.
    private func announce(_ addresses: DemoAddresses) throws {
        let typed = ProcessInfo.processInfo.arguments.first ?? ""
        let current = FileManager.default.currentDirectoryPath
        let juice = DemoAddresses.juice(
            beside: typed.contains("/") ? typed : Bundle.main.executablePath, from: current)
        let rootFile = tls.map { _ in DemoAddresses.absolute(folder.file(LocalTLS.rootFile), from: current) }
        let remarks = try webhookAdvice + certificateAdvice(addresses)
        say(
            addresses.announcement(
                juice: juice, rootFile: rootFile, mailDomain: Self.mailDomain, remarks: remarks))
    }

    private var webhookAdvice: [String] {
        guard webhookURL != nil else { return [] }
        return ["  Webhooks are signed with the secret in \(folder.file(DataFolder.webhookSecretFile))."]
    }

    /// Returns the lines about the certificate, which a browser must be told to trust.
    private func certificateAdvice(_ addresses: DemoAddresses) throws -> [String] {
        guard let tls else { return [] }
        var lines = [
            "  The certificate is this demo's own. Let your browser trust the root, or tell it to go on all the same.",
            "    root           \(folder.file(LocalTLS.rootFile)), also at \(addresses.emulator)/emulator-root.pem",
            "    SHA-256        \(try tls.authority.root.fingerprint)",
        ]
        if folder.isTemporary { lines.append("  The root goes when the demo ends; --data FOLDER keeps it.") }
        return lines
    }
}
