import Foundation

/// The TXT records of a name.
package enum TextAnswer: Sendable, Equatable {
    /// Empty when there is no such name, or no such record of it.
    case texts([String])
    /// The look-up failed, which says nothing about the name.
    case failed(String)
}

/// Looks up TXT records with `dig`, which comes with BIND: the system's own look-up gives addresses alone.
package struct TextLookup: Sendable {
    private static let program = "dig"

    /// Folders in which the program is looked for, as `PATH` lists them.
    private let folders: [String]

    package init(path: String = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin") {
        folders = path.split(separator: ":").map(String.init)
    }

    /// Asks the machine's name servers.
    /// - Parameter name: A domain name. It is no option of `dig`, since it begins with a letter, a digit or `_`.
    package func texts(of name: String) async -> TextAnswer {
        let places = folders.map { "\($0)/\(Self.program)" }
        guard let program = places.first(where: FileManager.default.isExecutableFile) else {
            return .failed("`\(Self.program)` is not installed (on Debian it is in bind9-dnsutils)")
        }
        // `-r`: no settings of the user's. `+nofail`: after a server that fails, the next one is asked.
        let arguments = [
            "-r", "-q", name, "-t", "TXT", "+noall", "+comments", "+answer", "+nofail", "+time=2", "+tries=1",
        ]
        return await withCheckedContinuation { caller in
            // Reading to the end blocks.
            DispatchQueue.global().async { caller.resume(returning: Self.run(program, arguments)) }
        }
    }

    private static func run(_ program: String, _ arguments: [String]) -> TextAnswer {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardOutput = output
        process.standardError = output
        do {
            try process.run()
        } catch {
            return .failed("\(program) does not start")
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return read(text)
    }

    /// Reads what `dig +comments +answer` prints: a line with the status, then one for each record.
    static func read(_ output: String) -> TextAnswer {
        let lines = output.split(whereSeparator: \.isNewline)
        guard let header = lines.last(where: { $0.contains("status: ") }),
            let status = header.firstRange(of: "status: ").map({ header[$0.upperBound...].prefix { $0.isLetter } })
        else {
            let last = lines.last.map { $0.drop { $0 == ";" || $0 == " " } } ?? "no output"
            return .failed("no name server answers (dig: \(last))")
        }
        guard ["NOERROR", "NXDOMAIN"].contains(status) else { return .failed("the name server says \(status)") }
        return .texts(lines.filter { !$0.hasPrefix(";") }.compactMap(text))
    }

    /// The text of a line such as `example.com. 300 IN TXT "v=spf1 " "-all"`; nil for a record of another type.
    private static func text(_ line: Substring) -> String? {
        let words = line.split(maxSplits: 4, whereSeparator: \.isWhitespace)
        guard words.count == 5, words[3] == "TXT" else { return nil }
        var bytes: [UInt8] = []
        var isQuoted = false
        var rest = words[4].utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\"):
                // RFC 1035 §5.1: `\DDD` is a byte in decimal, `\X` the character itself.
                if let number = UInt8(String(decoding: rest.prefix(3), as: UTF8.self)), rest.first != UInt8(ascii: "+")
                {
                    bytes.append(number)
                    rest = rest.dropFirst(3)
                } else if let next = rest.popFirst() {
                    bytes.append(next)
                }
            default: if isQuoted { bytes.append(byte) }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
