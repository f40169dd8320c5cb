import Foundation
import Testing

/// Runs the built `siwa` and holds what it prints against a file in `Transcripts/`.
///
/// With `SIWA_RECORD=1` in the environment the files are written anew; look at the difference before you keep it.
struct Transcript {
    struct Result {
        let status: Int32
        let output: String
        let complaints: String
    }

    /// The program lies beside the tests.
    private static var program: URL {
        URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "siwa")
    }

    static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    /// - Parameter inputFile: takes the place of `input` as the program's standard input.
    static func run(
        _ arguments: [String], input: String? = nil, inputFile: FileHandle? = nil, environment: [String: String] = [:]
    ) throws -> Result {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment
        let (standardInput, standardOutput, standardError) = (Pipe(), Pipe(), Pipe())
        if let inputFile { process.standardInput = inputFile } else { process.standardInput = standardInput }
        process.standardOutput = standardOutput
        process.standardError = standardError
        try process.run()
        // The input and output of these commands fit into a pipe, so nobody waits for anybody.
        try standardInput.fileHandleForWriting.write(contentsOf: Data((input ?? "").utf8))
        try standardInput.fileHandleForWriting.close()
        let output = standardOutput.fileHandleForReading.readDataToEndOfFile()
        let complaints = standardError.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
            complaints: String(decoding: complaints, as: UTF8.self))
    }

    /// Starts the program without reading its output. For a test that kills it.
    static func start(
        _ arguments: [String], input: Pipe? = nil, environment: [String: String]
    ) throws -> Process {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment
        if let input { process.standardInput = input } else { process.standardInput = FileHandle.nullDevice }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    /// Compares with `Transcripts/NAME.txt`.
    static func expect(_ name: String, _ result: Result, location: SourceLocation = #_sourceLocation) throws {
        let text = "status \(result.status)\n--- output\n\(result.output)--- complaints\n\(result.complaints)"
        let file = folder.appending(path: "Transcripts/\(name).txt")
        if ProcessInfo.processInfo.environment["SIWA_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
            return
        }
        let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == expected, sourceLocation: location)
    }
}
