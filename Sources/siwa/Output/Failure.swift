import ArgumentParser
import Foundation

/// Why a command could not do its work: what is wrong, and what to type.
struct Failure: Error, CustomStringConvertible {
    let problem: String
    let hint: String?
    /// Whether the command was given something that it doesn't understand. Then the exit status is 2, not 1.
    let isUsage: Bool

    init(_ problem: String, hint: String? = nil, isUsage: Bool = false) {
        self.problem = problem
        self.hint = hint
        self.isUsage = isUsage
    }

    var description: String {
        "error: \(problem)" + (hint.map { "\nhint: \($0)" } ?? "")
    }
}

extension SiwaCommand {
    /// Says what went wrong and ends the process: 0 after help that was asked for, 2 for bad usage, else 1.
    static func exit(after error: any Error) -> Never {
        if let code = error as? ExitCode {
            Foundation.exit(code.rawValue)
        }
        if exitCode(for: error) == .success {
            print(message(for: error))
            Foundation.exit(0)
        }
        if exitCode(for: error) == .validationFailure {
            complain(fullMessage(for: error))
            Foundation.exit(2)
        }
        if let problems = error as? SettingsProblems {
            complain(problems.description)
            Foundation.exit(2)
        }
        let failure = error as? Failure
        complain(failure?.description ?? "error: \(error)")
        Foundation.exit(failure?.isUsage == true ? 2 : 1)
    }
}

/// Writes a line to standard output at once, also where that is a file or a pipe.
func say(_ line: String) {
    do {
        try FileHandle.standardOutput.write(contentsOf: Data((line + "\n").utf8))
    } catch {
        complain("error: standard output cannot be written")
        Foundation.exit(1)
    }
}

/// Writes a line for people to standard error, where it does not mix with results.
func complain(_ line: String) {
    // Where not even this can be written, nobody is left to be told.
    try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
}
