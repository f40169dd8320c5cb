import ArgumentParser
import Foundation
import PackageVersion
import Testing

@testable import juice

@Suite("The commands of Juice")
struct CommandsTests {
    private static func run(_ arguments: [String]) throws -> (status: Int32, output: String, complaints: String) {
        let process = Process()
        // The program lies beside the tests.
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "juice")
        process.arguments = arguments
        process.environment = [:]
        let (output, complaints) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = complaints
        try process.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let said = complaints.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (
            process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: said, as: UTF8.self)
        )
    }

    @Test("are all on the page of commands, with their sentences")
    func page() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Docs/commands.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let head = "## juice\n\n| command | does |\n|---|---|\n"
        let start = try #require(text.firstRange(of: head)?.upperBound)
        let commands =
            [("juice", Juice.configuration)]
            + Juice.configuration.subcommands.map { command in
                ("juice \(command.configuration.commandName ?? "")", command.configuration)
            }
        #expect(
            text[start...].split(separator: "\n").map(String.init)
                == commands.map { "| `\($0)` | \($1.abstract) |" })
    }

    @Test("say the version without an account service")
    func version() throws {
        let result = try Self.run(["--version"])
        #expect(result.status == 0 && result.output == SiwaVersion.current + "\n")
    }

    @Test("print completions without an account service", arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) throws {
        let result = try Self.run(["completion", shell])
        #expect(result.status == 0 && result.complaints.isEmpty)
        for word in ["backend", "keyring", "system", "completion"] where shell != "bash" || word != "keyring" {
            #expect(result.output.contains(word), "\(word)")
        }
    }

    @Test("without a valid account service exit with status 2", arguments: [[], ["--backend", "nonsense"]])
    func backend(arguments: [String]) throws {
        let result = try Self.run(arguments)
        #expect(result.status == 2 && result.complaints.contains("ccount service"))
    }
}
