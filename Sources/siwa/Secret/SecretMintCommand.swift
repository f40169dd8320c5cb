import AppleID
import AppleIDTypes
import ArgumentParser
import Foundation

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
        let output, secret: NullableText
    }

    func validate() throws {
        guard (output != nil) != prints else {
            throw ValidationError("Say where the secret shall go: --output FILE, or --print for standard output.")
        }
        guard !clientID.isEmpty else { throw ValidationError("A client id is not empty.") }
    }

    func run() async throws {
        let clientKey = try await key.read()
        let client = AppleClient(id: ClientID(clientID), kind: .service, key: clientKey)
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
                clientID: clientID, expiresAt: end, output: NullableText(output),
                secret: NullableText(prints ? secret.rawValue : nil))
            return say(try answer.jsonText(isSpread: true))
        }
        if prints { say(secret.rawValue) }
        complain(
            "It is for \(TextForPeople.quoted(clientID)) and ends \(TextForPeople.time(secret.expiresAt, now: now)).")
    }
}
