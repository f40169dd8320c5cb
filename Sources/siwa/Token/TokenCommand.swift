import ArgumentParser

/// `siwa token`: what to do with a token in hand.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Look at tokens.",
        discussion: Help.examples("siwa token decode --file token.txt"),
        subcommands: [TokenVerifyCommand.self, TokenDecodeCommand.self])
}
