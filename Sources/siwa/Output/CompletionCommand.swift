import ArgumentParser
import CommandIO

/// `siwa completion SHELL`: the script by which a shell completes this program's command lines.
struct CompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a completion script for your shell.",
        discussion: """
            Write it to a file where your shell looks for such scripts, and begin a new shell: for bash \
            ~/.local/share/bash-completion/completions/siwa, for zsh _siwa in a folder of $fpath, for fish \
            ~/.config/fish/completions/siwa.fish.

            \(Help.examples("siwa completion bash"))
            """)

    @Argument(help: "The shell.") var shell: CompletedShell

    func run() throws {
        say(SiwaCommand.completionScript(for: shell.shell))
    }
}
