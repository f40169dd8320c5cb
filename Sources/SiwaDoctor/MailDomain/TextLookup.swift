import Foundation

/// The TXT records of a name.
package enum TextAnswer: Sendable, Equatable {
    /// Empty when there is no such name, or no such record of it.
    case texts([String])
    /// The look-up failed, which says nothing about the name.
    case failed(String)
}

/// Looks up TXT records with a program that is there: the system's own look-up gives addresses alone.
package struct TextLookup: Sendable {
    /// Folders in which the programs are looked for, as `PATH` lists them.
    private let folders: [String]

    package init(path: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") {
        folders = path.split(separator: ":").map(String.init)
    }

    /// Asks the machine's name servers, by the first program of ``LookupProgram`` that is installed.
    /// - Parameter name: A domain name. It is no option of a program, since it begins with a letter, a digit or `_`.
    package func texts(of name: String) async -> TextAnswer {
        for program in LookupProgram.allCases {
            let places = folders.map { "\($0)/\(program.rawValue)" }
            guard let path = places.first(where: FileManager.default.isExecutableFile) else { continue }
            return await withCheckedContinuation { caller in
                // Reading to the end blocks.
                DispatchQueue.global().async { caller.resume(returning: Self.run(program, at: path, name)) }
            }
        }
        let names = LookupProgram.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        return .failed("none of \(names) is installed (on Debian, `dig` is in bind9-dnsutils)")
    }

    private static func run(_ program: LookupProgram, at path: String, _ name: String) -> TextAnswer {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = program.arguments(for: name)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            return .failed("\(path) does not start")
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return program.read(text)
    }
}
