import ArgumentParser

/// `siwa keys`: whose keys is the next word. Our own signing keys get theirs beside it.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Look at keys.",
        subcommands: [AppleKeysCommand.self])
}
