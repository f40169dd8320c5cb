import AccountHTTP
import AccountService
import AppleID
import ArgumentParser
import Foundation

/// `siwa demo`: service and emulator together, with no configuration.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run the account service and an emulator of Apple together.",
        discussion: """
            The service answers on localhost and the emulator on 127.0.0.1: two sites to a browser, as in real life. \
            Nothing leaves this machine.

            Safari drops the cookies of a sign-in on http://localhost. With --tls the service answers on \
            https://localhost, with a certificate that the demo makes itself; the browser must trust its root, or be \
            told to go on. The root can vouch for no other name. With --data it stays the same.

            \(Help.examples("siwa demo", "siwa demo --tls --data demo"))
            """)

    @Option(help: "The port of the service; 0 for a free one.")
    var port = 4_000

    @Option(help: "The port of the emulator; 0 for a free one.")
    var emulatorPort = 4_010

    @Option(
        help: """
            The port that takes mail by SMTP, for people's own addresses and those of the relay; 0 for a free one. \
            (default: 2525, or a free one if that is in use)
            """)
    var mailPort: Int?

    @Flag(help: "Serve https, with a certificate of the demo's own.")
    var tls = false

    @Option(
        help: """
            What the sign-in page's button does where scripts run: redirect or popup, by the emulator's stand-in for \
            Sign in with Apple JS, or none for the plain link.
            """)
    var script = Script.redirect

    enum Script: String, ExpressibleByArgument, CaseIterable {
        case redirect, popup, none
    }

    @Option(
        help: """
            Where your own backend takes webhooks, as with siwa serve. They are signed with the secret in the file \
            webhook-secret of the --data folder, which is made when it is not there.
            """)
    var webhookURL: String?

    @Option(
        help: "A folder that keeps the state of both. Without it, all is forgotten at the end.",
        completion: .directory)
    var data: String?

    @Option(
        help: """
            A file that is there while both answer: {"service": URL, "emulator": URL, "mailPort": NUMBER}.
            """, completion: .file())
    var readyFile: String?

    @OptionGroup var files: WellKnownFileOptions

    func validate() throws {
        let ports = [port, emulatorPort, mailPort ?? 0]
        for port in ports where !(0...65_535).contains(port) {
            throw ValidationError("A port is a number from 0 to 65535.")
        }
        if let webhookURL {
            do { _ = try WebhookURL(webhookURL) } catch {
                throw ValidationError("--webhook-url \(error.reason).")
            }
        }
        let named = ports.filter { $0 != 0 }
        if Set(named).count < named.count {
            throw ValidationError("Service, emulator and mail need different ports.")
        }
    }

    func run() async throws {
        let folder = try DataFolder(path: data)
        defer { folder.discard() }
        let readyFile = readyFile.map { ReadyFile(path: $0) }
        try readyFile?.clear()
        try await Demo(
            port: port, emulatorPort: emulatorPort, mailPort: mailPort, folder: folder, readyFile: readyFile,
            script: SignInScript(rawValue: script.rawValue),
            tls: tls ? try LocalTLS.open(in: folder, at: AppleIDEnvironment.live.now()) : nil,
            webhookURL: try webhookURL.map { try WebhookURL($0) }, wellKnownFiles: try files.read()
        ).run()
    }
}
