import AppleID
import AppleIDTypes
import ArgumentParser
import CommandIO
import Foundation
import SiwaDoctor
import StrictJSON

/// `siwa token`: verifies and decodes tokens.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Verify and decode tokens.",
        discussion: Help.examples("siwa token decode --file token.txt"),
        subcommands: [TokenVerifyCommand.self, TokenDecodeCommand.self])
}

/// `siwa token decode`: shows what a token says, without asking whether it is true.
struct TokenDecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show what a token says, without verifying it.",
        discussion: """
            Nothing is checked: anybody can write a token that says anything. siwa token verify checks one. All of it \
            is shown, personal data too, and a token that has not expired may still open doors: mind where you paste it.

            \(Help.examples("siwa token decode --file token.txt"))
            """)

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var input: TokenInput

    func run() throws {
        let token = try DecodedToken(try input.read())
        complain("warning: NOT VERIFIED: anybody can write a token that says this; siwa token verify checks one")
        complain(
            token.header["alg"]?.string == "ES256"
                ? "warning: a client secret is as good as a password until it ends; mind where you paste it"
                : "warning: this may be about a person; mind where you paste it")
        say(json ? token.json() : token.text(now: Int64(Date().timeIntervalSince1970)))
    }
}

/// `siwa token verify`: applies every rule to one identity token or notification and says what each found.
struct TokenVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an identity token, or a notification, and explain every check.",
        discussion: """
            Prints one line a check. Exit status: 0 when none failed, 1 when one did, 2 when the command was not \
            understood. What was given nothing to compare with is said to be unchecked: a server always checks it.

            \(Help.examples(
                "siwa token verify --file token.txt --audience com.example.juice",
                "siwa token verify --notification --file request.json"))
            """)

    @Option(help: "An app or Services ID that the token may be for. May be given several times.")
    var audience: [String] = []

    @Option(help: "The raw nonce. The token must carry it, or its lowercase hexadecimal SHA-256.")
    var nonce: String?

    @Option(help: "The authorization code that came beside the token, which must be bound to it (c_hash).")
    var code: String?

    @Option(help: "Apple's access token that came beside the token, which must be bound to it (at_hash).")
    var accessToken: String?

    @Option(help: "A file with this code.", completion: .file())
    var codeFile: String?

    @Option(help: "A file with this access token.", completion: .file())
    var accessTokenFile: String?

    @Flag(help: "It is a server-to-server notification: the payload of Apple's request, or the whole body with it.")
    var notification = false

    @Flag(help: "Accept the issuer https://account.apple.com too, which no token has been seen with.")
    var accountIssuer = false

    @Option(help: "A file or URL with the key set. Default: Apple's.", completion: .file())
    var keys: String?

    @Option(help: "The moment to verify for, in seconds since 1970. Default: now.")
    var at: Int64?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var input: TokenInput

    func validate() throws {
        guard audience.allSatisfy({ !$0.isEmpty }) else { throw ValidationError("An audience is not empty.") }
        for (name, value) in [("nonce", nonce), ("code", code), ("access token", accessToken)] {
            guard value != "" else { throw ValidationError("A given \(name) is not empty.") }
            guard value == nil || !notification else {
                throw ValidationError("A notification answers no sign-in: it has no \(name) to compare with.")
            }
        }
        for (name, value, file) in [("code", code, codeFile), ("access-token", accessToken, accessTokenFile)] {
            guard value == nil || file == nil else {
                throw ValidationError("Give --\(name) or --\(name)-file, not both.")
            }
            guard file == nil || !notification else {
                throw ValidationError("A notification answers no sign-in: --\(name)-file has nothing to compare with.")
            }
        }
        // Up to the year 9999: what a calendar can still print.
        guard (0...253_402_300_799).contains(at ?? 0) else {
            throw ValidationError("--at is a number of seconds since 1970.")
        }
    }

    func run() async throws {
        let text = try input.read()
        let code = try codeFile.map { try FileSecret.text($0, lines: .one, option: "code-file") } ?? code
        let accessToken =
            try accessTokenFile.map { try FileSecret.text($0, lines: .one, option: "access-token-file") } ?? accessToken
        let keys = try await KeySource(keys).load()
        let issuers = accountIssuer ? AcceptedIssuers.appleAndAccount : .apple
        let checks = await TokenExamination(
            token: notification ? Self.payload(of: text) : text,
            kind: notification
                ? .notification(NotificationVerifier(keys: keys, issuers: issuers))
                : .identityToken(
                    IdentityVerifier(keys: keys, issuers: issuers), nonce: nonce, code: code, accessToken: accessToken),
            audiences: Set(audience.map { ClientID($0) }), time: at.map { Date(timeIntervalSince1970: Double($0)) }
        ).report()
        say(json ? try checks.json() : checks.text())
        if !checks.isGood { throw ExitCode(1) }
    }

    /// Returns the token in the JSON that a server received, or the text itself.
    private static func payload(of text: String) -> String {
        do {
            return try JSONDocument(Array(text.utf8)).root["payload"]?.string ?? text
        } catch {
            // The text is the token itself, or the rules refuse it.
            return text
        }
    }
}

/// A token or a client secret for a command, from an argument, a file, or standard input.
///
/// Arguments can be read by other people on the machine while the command runs, and stay in the shell's history.
struct TokenInput: ParsableArguments {
    @Option(help: "A file with it.", completion: .file())
    var file: String?

    @Argument(help: "The token itself; read from standard input when there is neither this nor --file.")
    var token: String?

    func validate() throws {
        guard file == nil || token == nil else { throw ValidationError("Give a token or --file, not both.") }
    }

    /// Reads the token, without white space around it.
    func read() throws -> String {
        let text: String
        if let token {
            text = token
        } else if let file {
            // A notification's request is JSON, and may have several lines.
            text = try FileSecret.text(file, lines: .several, option: "file")
        } else {
            text = try SmallFile.standardInput()
        }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else {
            throw ValidationError("Give a token, as an argument, with --file or on standard input.")
        }
        return trimmed
    }
}
