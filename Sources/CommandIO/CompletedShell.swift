package import ArgumentParser

/// A shell that completes command lines, as an argument of a command that prints the script for it.
package enum CompletedShell: String, ExpressibleByArgument, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The parser's own value for the shell.
    package var shell: CompletionShell {
        switch self {
        case .bash: .bash
        case .zsh: .zsh
        case .fish: .fish
        }
    }
}
