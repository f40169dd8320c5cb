import ArgumentParser

/// `siwa secret`: client secrets, with which a server proves to Apple whose it is.
struct SecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "secret",
        abstract: "Make and look at client secrets.",
        discussion: """
            siwa serve makes its own, for minutes, and needs none of these. They are for other servers, and for \
            requests made by hand.

            \(Help.examples("siwa secret inspect --file secret.txt"))
            """,
        subcommands: [SecretMintCommand.self, SecretInspectCommand.self])
}
