import AccountMail
import AccountService
import AppleID
import AppleIDTypes
import ArgumentParser
import AsyncHTTPTransport
import CommandIO
import Configuration
import Foundation
import Logging
import SiwaDoctor
import WellKnownFiles

/// `siwa doctor`: looks at the settings that concern Apple and other providers, asks them, and says which is wrong.
@available(siwaServer 1.0, *)
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the settings that concern Apple, by asking Apple.",
        discussion: """
            Takes the settings of siwa serve, from the same places, and starts nothing. For each client it asks Apple \
            for an access token of the client's own: a token means that Apple accepts the client, `invalid_client` \
            that it does not. Nobody is signed in, and nothing is kept. Each provider beside Apple is asked for its \
            document. If the settings turn passwords on, it looks at the mail as with --mail, because nobody signs up \
            without mail.

            Exit status: 0 when nothing failed (warnings do not count), 1 when something did, 2 when the command was \
            not understood.

            \(Help.examples("siwa doctor --config siwa.json", "siwa doctor --config siwa.json --mail --dkim-selector s1"))
            """)

    @OptionGroup var examined: ExaminedSettings

    @Option(
        help: "A file with a client secret that was made elsewhere, to look at and to try; - for standard input.",
        completion: .file())
    var clientSecretFile: String?

    @Flag(help: "Also look at the service's own mail: the mail server, and the records of the sender's domain.")
    var mail = false

    @OptionGroup var mailOptions: MailOptions

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
        guard dkimSelector == nil || mail || !mailDomain.isEmpty else {
            throw ValidationError("--dkim-selector needs --mail or a --mail-domain.")
        }
    }

    func run() async throws {
        var settings = try await read()
        settings.clientSecret = try clientSecretFile.map {
            (try $0 == "-"
                ? SmallFile.standardInput() : FileSecret.text($0, lines: .one, option: "client-secret-file"))
                .trimmingCharacters(in: .whitespacesAndNewlines)
        }
        settings.mailDomains = mailDomain
        settings.dkimSelector = dkimSelector
        let transport = AsyncHTTPTransport()
        let findings = await Doctor(settings: settings, transport: transport).examine()
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
        let config = examined.key.config
        let file = try config.map { try SettingsFile(path: $0) } ?? SettingsFile()
        var sources = examined.sources
        sources.add(flagsOf: mailOptions)
        let reader = try await sources.reader(file: config)
        return .read(from: reader, file: file, hasSecret: clientSecretFile != nil, examinesMail: mail)
    }
}

@available(siwaServer 1.0, *)
extension DoctorSettings {
    /// Keys: those of ``Setting``. Reads on where something is missing, since one mistake shall not hide the next.
    /// - Parameters:
    ///   - file: what the settings file names, and what is wrong with it.
    ///   - hasSecret: then the key is not needed.
    ///   - examinesMail: then the settings of mail are needed.
    static func read(
        from config: ConfigReader, file: SettingsFile, hasSecret: Bool, examinesMail: Bool
    ) -> Self {
        var reader = SettingsReader(config: config)
        reader.report(file)
        var settings = Self()
        settings.bundleIDs = reader.texts(.bundleID).map { ClientID($0) }
        settings.servicesIDs = reader.texts(.servicesID).map { ClientID($0) }
        if let url = reader.text(.publicURL) {
            do {
                let publicURL = try PublicURL(url)
                settings.publicURL = "\(publicURL)"
                settings.returnURL = publicURL.appending("/sign-in/apple/callback")
            } catch {
                reader.report(.publicURL, error.reason)
            }
        } else if !settings.servicesIDs.isEmpty, !reader.isRefused(.publicURL) {
            reader.report(.publicURL, "is missing: the sign-in on the web returns to it")
        }
        if settings.bundleIDs.isEmpty, settings.servicesIDs.isEmpty, !hasSecret, !reader.isRefused(.bundleID),
            !reader.isRefused(.servicesID)
        {
            reader.report(.bundleID, "is missing: an app's bundle id, or a Services ID for the web")
        }
        if let server = ServeSettings.readServer(&reader) { settings.server = server }
        settings.team =
            (hasSecret
            ? reader.text(.teamID)
            : reader.requiredText(.teamID, what: "the ten characters of your team, from Apple's developer portal"))
            .map { TeamID($0) }
        settings.keyID =
            (hasSecret
            ? reader.text(.keyID)
            : reader.requiredText(.keyID, what: "the ten characters of the key for Sign in with Apple"))
            .map { KeyID($0) }
        settings.pem = reader.text(.privateKey, isSecret: true)
        if settings.pem == nil {
            settings.keyFile =
                hasSecret
                ? reader.text(.privateKeyFile) : reader.requiredText(.privateKeyFile, what: "the .p8 file of that key")
        }
        if reader.text(.database, isSecret: true) != nil, let location = DatabaseLocation.read(&reader) {
            settings.people = { await location.people(besides: $0) }
        }
        settings.providers = ProviderSettings().read(&reader, file: file)
        settings.admitsTransferredPeople = reader.flag(.admitTransferred)
        for file in WellKnownFile.allCases { settings.wellKnownFiles[file] = reader.text(file.setting) }
        // With passwords, mail is what proves people's addresses.
        if reader.flag(.passwords) || examinesMail {
            settings.mail = MailServerSettings.readRequired(&reader, serviceName: "siwa")?.examined
        }
        settings.findings = reader.problems.map {
            .failed(
                "settings", "setting_wrong", "\($0.setting.path): \($0.problem)", hint: "set \($0.setting.howToSet)")
        }
        return settings
    }
}

extension MailServerSettings {
    /// The mail server and the sender, for the doctor.
    fileprivate var examined: ExaminedMail {
        ExaminedMail(from: from, server: address) {
            if let failure = await sender.examine() { return .failed(failure) }
            return .ready(isEncrypted: server.security != .plain, isSignedIn: server.user != nil)
        }
    }
}

extension DatabaseLocation {
    /// Looks for people of another team than this one. It changes nothing in the database.
    func people(besides team: TeamID) async -> PeopleInDatabase {
        do {
            switch try await openAsItIs(logger: Logger.standard(level: .warning)) {
            case .empty: return .noDatabaseYet
            case .older: throw Failure.olderTables()
            case .current(let store):
                do {
                    let other = try await store.otherTeam(than: team)
                    try await store.close()
                    return other.map { .ofOtherTeam($0) } ?? .ofThisTeamAlone
                } catch {
                    try await store.close()
                    throw error
                }
            }
        } catch {
            let failure = (error as? Failure) ?? (error as? AccountError)?.failure
            return .notKnown(
                problem: failure?.problem ?? "the database does not open: \(error)", hint: failure?.hint)
        }
    }
}
