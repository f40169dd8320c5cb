import AppleID
import ArgumentParser
import CommandIO
import Foundation
import SiwaDoctor
import StrictJSON

/// `siwa keys apple`: the keys with which Apple, or an emulator, signs tokens now.
struct AppleKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple",
        abstract: "List the keys that Apple signs with now, or show the one that a token names.",
        discussion: """
            Exit status: 0 when the key asked for is there and usable, 1 when not, 2 when the command was not \
            understood.

            \(Help.examples("siwa keys apple", "siwa keys apple --token-file token.txt"))
            """)

    @Option(help: "A file or URL with the key set. Default: Apple's.", completion: .file())
    var keys: String?

    @Option(help: "An emulator in place of Apple.")
    var emulator: String?

    @Option(help: "Look for the key of this name only.")
    var kid: String?

    @Option(help: "A token whose header names the key to look for.")
    var token: String?

    @Option(help: "A file with such a token; - for standard input.", completion: .file())
    var tokenFile: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard keys == nil || emulator == nil else { throw ValidationError("Give --keys or --emulator, not both.") }
        guard [kid, token, tokenFile].compactMap(\.self).count <= 1 else {
            throw ValidationError("Give one of --kid, --token and --token-file.")
        }
        guard kid != "" else { throw ValidationError("A key's name is not empty.") }
    }

    func run() async throws {
        let wanted = try wantedKey()
        var list = try await AppleKeyList(try await KeySource(try place()).fetch())
        if let wanted {
            list.keep(wanted)
            guard !list.keys.isEmpty else {
                throw Failure(
                    "unknown_key: there is no key `\(TextForPeople.quoted(wanted, limit: 80))` now",
                    hint: "the token is older than the last change of keys, or not from \(list.place)")
            }
        }
        say(try json ? list.json() : list.text())
        guard list.keys.contains(where: \.isUsable) else { throw ExitCode(1) }
    }

    private func place() throws -> String? {
        guard let emulator else { return keys }
        do {
            return try AppleServer.emulator(at: emulator).keysURL
        } catch {
            throw Failure("emulator: \(error.reason)", isUsage: true)
        }
    }

    private func wantedKey() throws -> String? {
        if let kid { return kid }
        let text: String
        if let token {
            text = token
        } else if let tokenFile {
            text =
                try tokenFile == "-"
                ? SmallFile.standardInput() : FileSecret.text(tokenFile, lines: .one, option: "token-file")
        } else {
            return nil
        }
        let decoded = try DecodedToken(text.trimmingCharacters(in: .whitespacesAndNewlines))
        guard let kid = decoded.header["kid"]?.string, !kid.isEmpty else {
            throw Failure("malformed_token: the token's header has no kid")
        }
        return kid
    }
}
