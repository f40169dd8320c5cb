import AppleID
import ArgumentParser
import Foundation
import PackageVersion
import Testing

@testable import siwa

@Suite("The helps of siwa's commands")
struct HelpTests {
    /// Every command there is, with the words that lead to it.
    static func commands(
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
        let script = try Transcript.run(["completion", shell])
        #expect(script.status == 0 && script.complaints.isEmpty)
        // The parser's own way to the same script.
        #expect(try Transcript.run(["--generate-completion-script", shell]).output == script.output)
        for value in ["outlined", "sign-up", "popup", "refresh-once-a-day", "json"] {
            #expect(script.output.contains(value), "\(value)")
        }
    }

    @Test("come with one version, in the form of semantic versioning")
    func version() throws {
        #expect(SiwaVersion.current.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        #expect(try Transcript.run(["--version"]).output == SiwaVersion.current + "\n")
        #expect(try Transcript.run(["accounts", "list", "--version"]).output == SiwaVersion.current + "\n")
        // Juice's is compared in its own tests.
        #expect(AppleRequest.userAgent == "siwa/\(SiwaVersion.current)")
    }

    /// Runs bash with text as its script.
    private static func bash(_ arguments: [String], script: String, in folder: URL? = nil) throws -> String {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["--norc"] + arguments + ["/dev/stdin"]
        process.currentDirectoryURL = folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(text)")
        return text
    }

    @Test("are bash's completions too: of commands, options, values and files")
    func completing() throws {
        let script = try Transcript.run(["completion", "bash"]).output
        #expect(try Self.bash(["-n"], script: script).isEmpty)
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        try Data().write(to: folder.appending(path: "password-of-siwa"))
        for (line, completed) in [
            ("siwa comp", "completion"), ("siwa serve --database-pass", "--database-password-file"),
            ("siwa accounts list --database-pass", "--database-password-file"),
            ("siwa serve --button-style out", "outlined"), ("siwa completion f", "fish"),
            ("siwa serve --database-password-file pass", "password-of-siwa"),
        ] {
            let words = line.split(separator: " ")
            let ask = """

                COMP_WORDS=(\(line)) COMP_CWORD=\(words.count - 1) COMP_LINE='\(line)' COMP_POINT=\(line.utf8.count)
                _siwa siwa '\(words.last ?? "")' '\(words.dropLast().last ?? "")'
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let offered = try Self.bash([], script: script + ask, in: folder).split(separator: "\n").map(String.init)
            #expect(offered == [completed], "\(line)")
        }
    }

    @Test("document --json for every command that has it", arguments: paths)
    func json(path: String) throws {
        let silent = ["demo", "emulate", "accounts export", "completion"]
        let command = try #require(Self.commands().first { $0.path.joined(separator: " ") == path })
        guard command.type.configuration.subcommands.isEmpty, !silent.contains(path) else { return }
        #expect(try Transcript.run(command.path + ["--help"]).output.contains("--json"))
    }
}
