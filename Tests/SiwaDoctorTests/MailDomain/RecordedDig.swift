import Foundation

@testable import SiwaDoctor

/// A program `dig` in a folder of its own, which prints what BIND's prints for the answers that it is given.
enum RecordedDig {
    enum Reply: Sendable {
        case texts([String])
        /// Another status than `NOERROR`.
        case status(String)
    }

    /// A name without a reply does not exist.
    static func with<Result>(
        _ replies: [String: Reply], _ body: (TextLookup) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-dig-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, reply) in replies {
            try Data(output(of: reply, name: name).utf8).write(to: folder.appending(path: name))
        }
        try Data(output(of: .status("NXDOMAIN"), name: "").utf8).write(to: folder.appending(path: "no-such-name"))
        let program = folder.appending(path: "dig")
        // Its third argument is the name.
        let script =
            "#!/bin/sh\nfile=\"\(folder.path)/$3\"\n[ -f \"$file\" ] || file=\"\(folder.path)/no-such-name\"\n"
            + "while IFS= read -r line; do printf '%s\\n' \"$line\"; done < \"$file\"\n"
        try Data(script.utf8).write(to: program)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        return try await body(TextLookup(path: "/nowhere:\(folder.path)"))
    }

    private static func output(of reply: Reply, name: String) -> String {
        var status = "NOERROR"
        var answers: [String] = []
        switch reply {
        case .status(let other): status = other
        case .texts(let texts): answers = texts.map { "\(name).\t300\tIN\tTXT\t\"\(escaped($0))\"" }
        }
        return """
            ;; Got answer:
            ;; ->>HEADER<<- opcode: QUERY, status: \(status), id: 4711
            ;; flags: qr rd ra; QUERY: 1, ANSWER: \(answers.count), AUTHORITY: 0, ADDITIONAL: 1

            ;; OPT PSEUDOSECTION:
            ; EDNS: version: 0, flags:; udp: 1232
            \(answers.joined(separator: "\n"))

            """
    }

    /// As BIND writes it: quotation marks and backslashes with a backslash, other bytes than ASCII's in decimal.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
            case 0x20..<0x7F: String(UnicodeScalar(byte))
            default: "\\" + String(repeating: "0", count: 3 - "\(byte)".count) + "\(byte)"
            }
        }.joined()
    }
}
