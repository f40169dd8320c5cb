import AppleID
import AppleIDTypes
import ArgumentParser
import CommandIO
import Configuration
import Crypto
import Foundation
import SiwaDoctor

/// `siwa secret`: makes and inspects client secrets, with which a server authenticates to Apple.
struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Make and examine client secrets.",
        discussion: """
            siwa serve makes its own, for minutes, and needs none of these. They are for other servers, and for \
            requests made by hand.

            \(Help.examples("siwa secret inspect --file secret.txt"))
            """,
        subcommands: [SecretMintCommand.self, SecretInspectCommand.self])
}

/// `siwa secret mint`: signs one client secret.
struct SecretMintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mint",
        abstract: "Make a client secret.",
        discussion: """
            Team, key and key file are the settings of siwa serve: flags, SIWA_TEAM_ID and so on, or a --config file. \
            The secret goes to a file that only you can read, or to standard output with --print; it is shown nowhere \
            else.

            \(Help.examples(
                "siwa secret mint --config siwa.json --client-id com.example.juice.web --print",
                """
                siwa secret mint --team-id ABCDE12345 --key-id FGHIJ67890 \\
                  --private-key-file AuthKey_FGHIJ67890.p8 \\
                  --client-id com.example.juice.web --lifetime 30d --output secret.txt
                """))
            """)

    @OptionGroup var key: KeySettings

    @Option(help: "Whose secret: a bundle id or Services ID. Each client needs its own.")
    var clientID: String

    @Option(help: "How long Apple shall take it: 600s, 10m, 12h or 30d; 15777000s at most. Default: 1h.")
    var lifetime: Lifetime = Lifetime(seconds: 3_600)

    @Option(help: "The file to write it to, readable by you alone.", completion: .file())
    var output: String?

    @Flag(name: .customLong("print"), help: "Print it to standard output.")
    var prints = false

    @Flag(help: "Print JSON. The secret is a member of it with --print alone.")
    var json = false

    private struct Answer: Encodable {
        let clientID, expiresAt: String
        let output, secret: Nullable<String>
    }

    func validate() throws {
        guard (output != nil) != prints else {
            throw ValidationError("Say where the secret shall go: --output FILE, or --print for standard output.")
        }
        guard !clientID.isEmpty else { throw ValidationError("A client id is not empty.") }
    }

    func run() async throws {
        let clientKey = try await key.read()
        let client = ClientRegistration(id: ClientID(clientID), kind: .service, key: clientKey)
        let now = Int64(Date().timeIntervalSince1970)
        let secret: ClientSecret
        do {
            secret = try ClientSecret(for: client, at: now, lifetime: lifetime.seconds)
        } catch {
            throw Failure(error.reason, isUsage: true)
        }
        if let output { try AtomicFile.write(secret.rawValue + "\n", to: output, permissions: 0o600) }
        guard !json else {
            let end = Date(timeIntervalSince1970: Double(secret.expiresAt)).formatted(.iso8601)
            let answer = Answer(
                clientID: clientID, expiresAt: end, output: Nullable(output),
                secret: Nullable(prints ? secret.rawValue : nil))
            return say(try answer.jsonText(isSpread: true))
        }
        if prints { say(secret.rawValue) }
        complain(
            "It is for \(TextForPeople.quoted(clientID)) and ends \(TextForPeople.time(secret.expiresAt, now: now)).")
    }
}

/// How long a client secret lives, as a person writes it: `600s`, `10m`, `12h`, `30d`, or plain seconds.
struct Lifetime: ExpressibleByArgument, Hashable {
    let seconds: Int64

    init(seconds: Int64) {
        self.seconds = seconds
    }

    /// Nil for what is no span, is zero, or is longer than Apple takes.
    init?(argument: String) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        let unit = argument.last.flatMap { units[$0] }
        guard let number = Int64(unit == nil ? argument[...] : argument.dropLast()),
            (1...ClientSecret.longestLifetime).contains(number)
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !overflow, seconds <= ClientSecret.longestLifetime else { return nil }
        self.seconds = seconds
    }

    var defaultValueDescription: String { "1h" }
}

/// `siwa secret inspect`: shows a client secret's claims, and every reason for which Apple would refuse it.
struct SecretInspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Examine a client secret, and say why Apple would refuse it.",
        discussion: """
            Apple is not asked; siwa doctor --client-secret-file does. The secret itself is not shown. Exit status: 0 \
            when nothing is wrong, 1 when something is, 2 when the command was not understood.

            \(Help.examples("siwa secret inspect --file secret.txt --client-id com.example.juice.web"))
            """)

    @Option(help: "The Team ID that iss must be.")
    var teamID: String?

    @Option(help: "The Key ID that kid must be.")
    var keyID: String?

    @Option(help: "The client_id that sub must be.")
    var clientID: String?

    @Option(
        help: "The .p8 file of the key, or a PEM file of its public half, to check the signature with.",
        completion: .file())
    var privateKeyFile: String?

    @Option(help: "The moment to look for, in seconds since 1970. Default: now.")
    var at: Int64?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var input: TokenInput

    func validate() throws {
        guard (0...253_402_300_799).contains(at ?? 0) else {
            throw ValidationError("--at is a number of seconds since 1970.")
        }
    }

    func run() throws {
        let secret = try input.read()
        let expectation = SecretExamination.Expectation(
            team: teamID.map { TeamID($0) }, keyID: keyID.map { KeyID($0) },
            clients: clientID.map { [ClientID($0)] } ?? [],
            publicKey: try privateKeyFile.map(P256.Signing.PublicKey.read))
        let findings: [Finding]
        do {
            findings = SecretExamination(
                token: try DecodedToken(secret), expectation: expectation,
                now: at ?? Int64(Date().timeIntervalSince1970)
            ).findings()
        } catch {
            findings = [SecretExamination.malformed(secret, error)]
        }
        say(try json ? findings.json() : findings.text(good: "Nothing is wrong with it.", bad: "Apple will refuse it."))
        if !findings.areGood { throw ExitCode(1) }
    }
}
