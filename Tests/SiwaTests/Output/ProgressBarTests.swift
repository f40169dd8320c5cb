import Foundation
import Testing

@testable import siwa

@Suite("The progress bar of long commands")
struct ProgressBarTests {
    @Test(
        "shows how far the work is",
        arguments: [
            (0, "Looking [..............................]   0 %"),
            (50, "Looking [###############...............]  50 %"),
            (99, "Looking [#############################.]  99 %"),
            (100, "Looking [##############################] 100 %"),
        ])
    func line(percent: Int, line: String) {
        #expect(ProgressBar.line("Looking", percent: percent) == line)
    }

    @Test("is drawn on a terminal, redrawn when its line changes, and removed")
    func terminal() throws {
        let terminal = try PseudoTerminal()
        draw(on: terminal.program)
        let lines = [0, 50, 100].map { ProgressBar.line("Looking", percent: $0) }
        let blank = String(repeating: " ", count: lines[0].count)
        #expect(try terminal.textToEnd() == lines.map { "\r" + $0 }.joined() + "\r" + blank + "\r")
    }

    @Test("isn't drawn anywhere else")
    func pipe() throws {
        let pipe = Pipe()
        draw(on: pipe.fileHandleForWriting)
        try pipe.fileHandleForWriting.close()
        #expect(try pipe.fileHandleForReading.readToEnd() ?? Data() == Data())
    }

    private func draw(on screen: FileHandle) {
        let bar = ProgressBar("Looking", on: screen)
        // The number is about a thousand: somebody may sign up meanwhile.
        for done in [0, 1, 500, 501, 1_000, 1_200] { bar.show(done, of: 1_000) }
        bar.clear()
    }

    @Test("is shown at a terminal during a search for an account, and not written to a file", arguments: [true, false])
    func command(atTerminal: Bool) async throws {
        try await AccountsCommandTests.withPeople("SQLite") { environment, _ in
            let terminal = try PseudoTerminal()
            let (output, complaints) = (Pipe(), Pipe())
            let process = Process()
            // The program lies beside the tests.
            process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "siwa")
            process.arguments = ["accounts", "list", "johnny"]
            process.environment = environment
            process.standardOutput = output
            process.standardError = atTerminal ? terminal.program : complaints
            try process.run()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            let seen = try terminal.textToEnd()
            if atTerminal {
                let line = ProgressBar.line("Looking", percent: 100)
                #expect(seen == "\r" + line + "\r" + String(repeating: " ", count: line.count) + "\r")
            } else {
                #expect(try complaints.fileHandleForReading.readToEnd() ?? Data() == Data())
            }
            let found = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            #expect(found.contains("Johnny") && !found.contains("\r"))
        }
    }
}
