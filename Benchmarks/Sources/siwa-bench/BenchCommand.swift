import ArgumentParser

/// What the benchmarks need beside the `siwa` program itself; `Benchmarks/run` calls it.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "siwa-bench",
        subcommands: [VerifyCommand.self, TokensCommand.self, AppleCommand.self])
}
