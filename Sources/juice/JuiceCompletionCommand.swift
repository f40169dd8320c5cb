import ArgumentParser
import CommandIO

/// `juice completion SHELL`: the script by which a shell completes this program's command lines.
struct JuiceCompletionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print a completion script for your shell.",
        discussion: """
            Write it to a file where your shell looks for such scripts, and begin a new shell: for bash \
            ~/.local/share/bash-completion/completions/juice, for zsh _juice in a folder of $fpath, for fish \
            ~/.config/fish/completions/juice.fish.

            Example:
              juice completion bash
            """)

    @Argument(help: "The shell.") var shell: CompletedShell

    func run() throws {
        say(Juice.completionScript(for: shell.shell))
    }
}
