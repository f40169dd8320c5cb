import ArgumentParser
import Testing

@testable import siwa

@Suite("The helps of siwa's commands")
struct HelpTests {
    /// Every command there is, with the words that lead to it.
    private static func commands(
        _ command: any ParsableCommand.Type = SiwaCommand.self, _ path: [String] = []
    ) -> [(path: [String], type: any ParsableCommand.Type)] {
        [(path, command)]
            + command.configuration.subcommands.flatMap { commands($0, path + [$0.configuration.commandName ?? ""]) }
    }

    private static let paths = commands().map { $0.path.joined(separator: " ") }

    /// The examples of a help; a line that ends with a backslash goes on in the next.
    private static func examples(in help: String) -> [String] {
        guard let start = help.firstRange(of: /Examples?:\n/)?.upperBound else { return [] }
        return String(help[start...]).replacing(/\\\n */, with: "").split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .prefix { $0.hasPrefix("  siwa ") }.map { $0.trimmingPrefix("  ") }.map(String.init)
    }

    @Test("have an example each, which its command understands", arguments: paths)
    func examples(path: String) throws {
        let words = path.split(separator: " ").map(String.init)
        let help = try Transcript.run(words + ["--help"])
        #expect(help.status == 0)
        let examples = Self.examples(in: help.output)
        #expect(!examples.isEmpty, "\(help.output)")
        for example in examples {
            let arguments = example.split(separator: " ").dropFirst().map(String.init)
            #expect(arguments.starts(with: words) || words.isEmpty, "\(example)")
            #expect(throws: Never.self, "\(example)") { _ = try SiwaCommand.parseAsRoot(arguments) }
            #expect(!example.contains("\\"))
        }
    }

    @Test("come with completions of files and values", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) throws {
        let script = try Transcript.run(["--generate-completion-script", shell])
        #expect(script.status == 0)
        for value in ["outlined", "sign-up", "popup", "refresh-once-a-day", "json"] {
            #expect(script.output.contains(value), "\(value)")
        }
    }

    @Test("are documented: every command with --json has it in its help", arguments: paths)
    func json(path: String) throws {
        let silent = ["demo", "emulate", "accounts export"]
        let command = try #require(Self.commands().first { $0.path.joined(separator: " ") == path })
        guard command.type.configuration.subcommands.isEmpty, !silent.contains(path) else { return }
        #expect(try Transcript.run(command.path + ["--help"]).output.contains("--json"))
    }
}
