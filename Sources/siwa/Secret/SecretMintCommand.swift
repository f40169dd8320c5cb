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
            """)

    @OptionGroup var key: KeySettings

    @Option(help: "Whose secret: a bundle id or Services ID. Each client needs its own.")
    var clientID: String

    @Option(help: "How long Apple shall take it: 600s, 10m, 12h or 30d; 15777000s at most. Default: 1h.")
    var lifetime: Lifetime = Lifetime(seconds: 3_600)

    @Option(help: "The file to write it to, readable by you alone.")
    var output: String?

    @Flag(name: .customLong("print"), help: "Print it to standard output.")
    var prints = false

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
            throw Failure(error.reason)
        }
        if let output {
            try AtomicFile.write(secret.rawValue + "\n", to: output, permissions: 0o600)
        } else {
            say(secret.rawValue)
        }
        complain(
            "It is for \(TextForPeople.quoted(clientID)) and ends \(TextForPeople.time(secret.expiresAt, now: now)).")
    }
}
