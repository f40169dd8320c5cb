import CommandIO
import Foundation
import Testing

@Suite("Small files")
struct SmallFileTests {
    private static let limit = 1 << 20

    @Test("a file of exactly 1 MiB is read, and a larger one is refused")
    func limit() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-small-\(UUID().uuidString)")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        try Data(repeating: UInt8(ascii: "a"), count: Self.limit).write(to: file)
        #expect(try SmallFile.text(file.path).utf8.count == Self.limit)
        try Data(repeating: UInt8(ascii: "a"), count: Self.limit + 1).write(to: file)
        let failure = #expect(throws: Failure.self) { try SmallFile.text(file.path) }
        #expect(failure?.problem == "the file \(file.path) is larger than 1 MiB")
    }

    @Test("a file that can't be read is named with the system's reason")
    func unreadable() {
        let failure = #expect(throws: Failure.self) { try SmallFile.text("/nowhere/file") }
        #expect(failure?.problem == "the file /nowhere/file cannot be read: No such file or directory")
    }

    @Test(
        "standard input of exactly 1 MiB is read, and a longer one is refused",
        arguments: [(0, "Give a token"), (1, "error: standard input is larger than 1 MiB")])
    func standardInput(excess: Int, complaint: String) throws {
        let input = String(repeating: " ", count: Self.limit + excess)
        let result = try Transcript.run(["token", "decode"], input: input)
        #expect(result.status == 2 && result.complaints.contains(complaint))
    }

    @Test("standard input that can't be read ends the command with the system's reason")
    func unreadableInput() throws {
        let folder = try FileHandle(forReadingFrom: URL(filePath: "/"))
        let result = try Transcript.run(["token", "decode"], inputFile: folder)
        #expect(result.status == 1 && result.complaints == "error: standard input cannot be read: Is a directory\n")
    }
}
