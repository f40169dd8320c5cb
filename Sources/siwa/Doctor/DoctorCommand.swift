import AppleID
import ArgumentParser
import Configuration
import Foundation

/// `siwa doctor`: looks at the settings that concern Apple, asks Apple about them, and says which is wrong.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say what is wrong with the settings that concern Apple, by asking Apple.",
        discussion: """
            Takes the settings of siwa serve, from the same places, and starts nothing. For each client it asks Apple \
            for an access token of the client's own: a token means that Apple accepts the client, `invalid_client` \
            that it does not. Nobody is signed in, and nothing is kept.

            Exit status: 0 when nothing failed (warnings do not count), 1 when something did, 2 when the command was \
            not understood.

            \(Help.examples("siwa doctor --config siwa.json", "siwa doctor --config siwa.json --mail-domain example.com"))
            """)

    @Option(help: "A JSON file with settings.", completion: .file(extensions: ["json"]))
    var config: String?

    @Option(help: "Where people reach the service.")
    var publicURL: String?

    @Option(help: "An emulator in place of Apple.")
    var emulator: String?

    @Option(help: "Your team at Apple.")
    var teamID: String?

    @Option(help: "The key for Sign in with Apple.")
    var keyID: String?

    @Option(help: "The .p8 file of that key.", completion: .file())
    var privateKeyFile: String?

    @Option(help: "The bundle id of an app. May be given several times.")
    var bundleID: [String] = []

    @Option(help: "The Services ID of the sign-in on the web. May be given several times.")
    var servicesID: [String] = []

    @Option(help: "The database of the servers, to compare its people's team with the Team ID.")
    var database: String?

    @Option(
        help: "A file with a client secret that was made elsewhere, to look at and to try; - for standard input.",
        completion: .file())
    var clientSecretFile: String?

    @Option(help: "A domain that mail to relay addresses comes from. May be given several times.")
    var mailDomain: [String] = []

    @Option(help: "The selector of that mail's DKIM signatures.")
    var dkimSelector: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard mailDomain.allSatisfy(MailDomain.isName) else {
            throw ValidationError("--mail-domain is a domain name, such as mail.example.com.")
        }
        guard dkimSelector.map(MailDomain.isSelector) ?? true else {
            throw ValidationError("--dkim-selector is s= of a DKIM-Signature, such as s1.")
        }
        guard dkimSelector == nil || !mailDomain.isEmpty else {
            throw ValidationError("--dkim-selector needs a --mail-domain.")
        }
    }

    func run() async throws {
        var settings = try await read()
        settings.clientSecret = try clientSecretFile.map {
            (try $0 == "-" ? SmallFile.standardInput() : SmallFile.text($0)).trimmingCharacters(
                in: .whitespacesAndNewlines)
        }
        settings.mailDomains = mailDomain
        settings.dkimSelector = dkimSelector
        let transport = AsyncHTTPTransport()
        let findings = await Doctor(settings: settings, transport: transport, nameServers: .ofSystem()).examine()
        try await transport.shutdown()
        say(
            try json
                ? findings.json()
                : findings.text(
                    good:
                        "Nothing is wrong as far as it could be checked. siwa serve --check looks at all other "
                        + "settings.",
                    bad: "Something is wrong; see FAILED above."))
        if !findings.areGood { throw ExitCode(1) }
    }

    private func read() async throws -> DoctorSettings {
        let file = try config.map { try SettingsFile(path: $0) } ?? SettingsFile()
        var sources = SettingsSources()
        let texts: [(Setting, String?)] = [
            (.publicURL, publicURL), (.emulator, emulator), (.teamID, teamID), (.keyID, keyID),
            (.privateKeyFile, privateKeyFile),
        ]
        for (setting, text) in texts { sources.add(setting, text) }
        sources.add(.database, database, isSecret: true)
        sources.add(.bundleID, bundleID)
        sources.add(.servicesID, servicesID)
        let reader = try await sources.reader(
            prefix: "siwa", secrets: ["SIWA_KEY_RING", "SIWA_PRIVATE_KEY", "SIWA_DATABASE"], file: config)
        return .read(from: reader, file: file, hasSecret: clientSecretFile != nil)
    }
}
