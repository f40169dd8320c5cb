import AppleID
import AppleIDTypes
import ArgumentParser
import Foundation

/// `siwa token verify`: applies every rule to one identity token and says what each found.
struct TokenVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an identity token and explain every check.",
        discussion: """
            Prints one line a check. Exit status: 0 when none failed, 1 when one did, 2 when the command was not \
            understood. What was given nothing to compare with is said to be unchecked: a server always checks it.
            """)

    @Option(help: "An app or Services ID that the token may be for. May be given several times.")
    var audience: [String] = []

    @Option(help: "The raw nonce. The token must carry it, or its lowercase hexadecimal SHA-256.")
    var nonce: String?

    @Option(help: "A file or URL with the key set. Default: Apple's.")
    var keys: String?

    @Option(help: "The moment to verify for, in seconds since 1970. Default: now.")
    var at: Int64?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var input: TokenInput

    func validate() throws {
        guard audience.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("An audience is not empty.") }
        guard nonce != "" else { throw ValidationError("A nonce is not empty.") }
        // Up to the year 9999: what a calendar can still print.
        guard (0...253_402_300_799).contains(at ?? 0) else {
            throw ValidationError("--at is a number of seconds since 1970.")
        }
    }

    func run() async throws {
        let text = try input.read()
        let verifier = IdentityVerifier(keys: try await KeySource(keys).load())
        let checks = await TokenExamination(
            token: text, audiences: Set(audience.map { ClientID($0) }), nonce: nonce,
            time: at.map { Date(timeIntervalSince1970: Double($0)) }, verifier: verifier
        ).report()
        say(json ? try checks.json() : checks.text())
        if !checks.isGood { throw ExitCode(1) }
    }
}
