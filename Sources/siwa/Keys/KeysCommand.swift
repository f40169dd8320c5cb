import ArgumentParser

/// `siwa keys`: Apple's, and this server's own.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Look at Apple's keys, and change the server's own.",
        discussion: Help.examples("siwa keys apple", "siwa keys rotate"),
        subcommands: [AppleKeysCommand.self, RotateKeysCommand.self, ResealKeysCommand.self])
}
