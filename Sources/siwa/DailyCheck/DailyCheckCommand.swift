import ArgumentParser

/// `siwa daily-check`: what the daily check of Apple's refresh tokens waits for an operator with.
struct DailyCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daily-check",
        abstract: "See and resume stopped checks of Apple's refresh tokens.",
        discussion: Help.examples("siwa daily-check list", "siwa daily-check resume com.example.juice"),
        subcommands: [StoppedChecksCommand.self, ResumeCheckCommand.self],
        defaultSubcommand: StoppedChecksCommand.self)
}
