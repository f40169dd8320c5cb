import ArgumentParser
import Foundation
import StrictJSON

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
