import AppleIDTypes
import ArgumentParser
import Crypto
import Foundation

/// `siwa secret inspect`: says what a client secret says, and everything that Apple would refuse it for.
struct SecretInspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Look at a client secret, and say what Apple would refuse it for.",
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
            clients: clientID.map { [ClientID($0)] } ?? [], publicKey: try privateKeyFile.map(Self.publicKey))
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

    /// Of the private key, or the public one alone.
    static func publicKey(_ path: String) throws -> P256.Signing.PublicKey {
        let pem = try SmallFile.text(path)
        do {
            return try pem.contains("PUBLIC KEY")
                ? P256.Signing.PublicKey(pemRepresentation: pem)
                : P256.Signing.PrivateKey(pemRepresentation: pem).publicKey
        } catch {
            // The cause is left out: a parser's error may quote its input.
            throw Failure("the file \(path) holds no P-256 key in PEM")
        }
    }
}
