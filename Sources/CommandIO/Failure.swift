package import ArgumentParser
import Foundation

/// An error that ends a command: what is wrong, and what to type next.
package struct Failure: CommandFailure {
    package let problem: String
    package let hint: String?
    package let isUsage: Bool

    package init(_ problem: String, hint: String? = nil, isUsage: Bool = false) {
        self.problem = problem
        self.hint = hint
        self.isUsage = isUsage
    }

    package var description: String {
        "error: \(problem)" + (hint.map { "\nhint: \($0)" } ?? "")
    }
}

/// An error that says in its description, as lines that begin with `error:` and `hint:`, why a command failed.
package protocol CommandFailure: Error, CustomStringConvertible {
    /// Whether the command was given something that it doesn't understand. Then the exit status is 2, not 1.
    var isUsage: Bool { get }
}

extension ParsableArguments {
    /// Prints an error and ends the process: with 0 after help that was asked for, with 2 after bad usage, else with 1.
    package static func exit(after error: any Error) -> Never {
        if let code = error as? ExitCode { Foundation.exit(code.rawValue) }
        switch exitCode(for: error) {
        case .success:
            print(message(for: error))
            Foundation.exit(0)
        case .validationFailure:
            complain(fullMessage(for: error))
            Foundation.exit(2)
        default:
            let failure = error as? any CommandFailure
            complain(failure?.description ?? "error: \(error)")
            Foundation.exit(failure?.isUsage == true ? 2 : 1)
        }
    }
}

/// Writes a line to standard output at once, also where that is a file or a pipe.
package func say(_ line: String) {
    do {
        try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    } catch {
        complain("error: standard output cannot be written")
        Foundation.exit(1)
    }
}

/// Writes a line for people to standard error, where it does not mix with results.
package func complain(_ line: String) {
    // If standard error can't be written, there is no place left for the message.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
}
