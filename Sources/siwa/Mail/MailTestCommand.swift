import AccountMail
import AccountService
import AppleID
import ArgumentParser
import CommandIO
import Foundation

/// `siwa mail test ADDRESS`: hands a mail to the mail server now, without a database and without a running server.
@available(siwaServer 1.0, *)
struct MailTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Send a test mail now, with the settings of siwa serve, and show the mail server's answer.",
        discussion: """
            It needs neither the database nor a running server, and sends the mail once. That the mail server has taken a \
            mail does not mean that it has arrived: look into the inbox, and at what siwa doctor --mail says.

            Exit status: 0 when the mail server has taken the mail, 1 when not, 2 when the command or a setting was not \
            understood.

            \(Help.examples("siwa mail test me@example.com --config siwa.json"))
            """)

    @OptionGroup var options: MailServerOptions

    @Argument(help: "The address.")
    var address: String

    @Option(help: "The language of the mail (BCP 47), such as de. Default: English.")
    var language: String?

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        /// `delivered`, `postponed`, `held` or `refused`, as a running server would take it.
        let outcome: String
        let failure: Nullable<String>
        let messageID: String
    }

    func run() async throws {
        let (settings, service, name) = try await options.read()
        let moment = Timestamp(Date())
        let mail = Mail(
            id: MailID(at: moment, randomness: AppleIDEnvironment.live.randomBytes(10)), kind: .test,
            recipient: address, isRelayAddress: MailRecipient(typed: address).isRelay,
            languages: language.map { [$0] } ?? [], values: ["serviceName": name, "serviceURL": service.rawValue],
            createdAt: moment)
        let (outcome, failure): (String, String?) =
            switch await settings.sender.send(mail) {
            case .delivered: ("delivered", nil)
            case .postponed(let failure): ("postponed", failure)
            case .held(let failure): ("held", failure)
            case .refused(let failure): ("refused", failure)
            }
        if json {
            let answer = Answer(outcome: outcome, failure: Nullable(failure), messageID: mail.id.rawValue)
            say(try answer.jsonText(isSpread: true))
            if failure != nil { throw ExitCode(1) }
            return
        }
        guard let failure else {
            return say("\(settings.address) has taken the mail. Its Message-ID begins with \(mail.id).")
        }
        throw Failure(
            "\(settings.address) has not taken the mail: \(TextForPeople.quoted(failure, limit: 80))",
            hint: Self.hint(failure))
    }

    private static func hint(_ failure: String) -> String {
        switch failure {
        case RelayFailure.unauthorizedSender.rawValue:
            "register the sender in Apple's portal, Services, Sign in with Apple for Email Communication"
        case RelayFailure.forwardingOff.rawValue: "the person has turned off forwarding, or the address is gone"
        case RelayFailure.dailyLimit.rawValue:
            "Apple's relay takes \(MailRules.relayMailsPerDay) mails a day for one address"
        case MailFailure.addressInvalid.rawValue: "ADDRESS is not an address that mail can be sent to"
        default: "siwa doctor --mail looks at the mail server and the sender's domain"
        }
    }
}

/// The settings of mail for a command that opens no database.
@available(siwaServer 1.0, *)
struct MailServerOptions: ParsableArguments {
    @Option(help: "The JSON file with the settings of siwa serve.", completion: .file(extensions: ["json"]))
    var config: String?

    @Option(.publicURL) var publicURL: String?
    @Option(.appName) var appName: String?
    @OptionGroup var mail: MailOptions

    /// Reads the mail server, the service's URL and its name.
    /// - Throws: ``SettingsProblems`` with everything that is wrong.
    func read() async throws -> (mail: MailServerSettings, service: PublicURL, name: String) {
        var sources = SettingsSources()
        sources.add(flagsOf: self)
        sources.add(flagsOf: mail)
        var reader = SettingsReader(config: try await sources.reader(file: config))
        let service = ServeSettings.readPublicURL(&reader)
        let name = ServeSettings.readAppName(&reader, publicURL: service)
        let settings = MailServerSettings.readRequired(&reader, serviceName: name)
        guard reader.problems.isEmpty, let service, let settings else {
            throw SettingsProblems(problems: reader.problems)
        }
        return (settings, service, name)
    }
}

extension MailServerSettings {
    /// As ``read(_:serviceName:)``; that nothing is set is a problem, too.
    static func readRequired(_ reader: inout SettingsReader, serviceName: String) -> Self? {
        let before = reader.problems.count
        let settings = read(&reader, serviceName: serviceName)
        if settings == nil, reader.problems.count == before, !reader.isRefused(.mailURL) {
            reader.report(.mailURL, "is missing: the mail server, such as smtps://user@mail.example.com")
        }
        return settings
    }
}
