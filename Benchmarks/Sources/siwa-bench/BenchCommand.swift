import ArgumentParser

/// The commands that `Benchmarks/run` needs beside the `siwa` program.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siwa-bench",
        subcommands: [VerifyCommand.self, TokensCommand.self, AppleCommand.self])
}
