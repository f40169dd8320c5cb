import ArgumentParser
import Foundation

/// Where a command takes a token or a client secret from: an argument, a file, or standard input.
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

    /// Without white space around it.
    func read() throws -> String {
        let text: String
        if let token {
            text = token
        } else if let file {
            text = try SmallFile.text(file)
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
