import ArgumentParser

/// `siwa outbox`: what Apple and the app's own backend are still to be told and cannot be, until an operator has mended
/// something.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show revocations and webhooks that are parked, or have them tried again.",
        discussion: Help.examples("siwa outbox list", "siwa outbox retry"),
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self], defaultSubcommand: OutboxListCommand.self)
}
