import ArgumentParser

/// `siwa outbox`: what Apple is still to be told and cannot be, until an operator has mended something.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show revocations that are parked, or have them tried again.",
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self], defaultSubcommand: OutboxListCommand.self)
}
