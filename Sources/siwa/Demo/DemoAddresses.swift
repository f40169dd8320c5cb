import Foundation

/// The addresses of a running demo, as its ready file has them, and what a person reads about them.
struct DemoAddresses: Codable, Hashable, Sendable {
    let service: String
    let emulator: String
    /// Takes mail by SMTP, on 127.0.0.1.
    let mailPort: Int

    init(_ ports: DemoPorts, usesTLS: Bool) {
        service = "\(usesTLS ? "https" : "http")://localhost:\(ports.service)"
        emulator = "http://127.0.0.1:\(ports.emulator)"
        mailPort = ports.mail
    }

    /// All that a person can open, one address a line.
    /// - Parameters:
    ///   - juice: the path of the sample app; nil when it was not built.
    ///   - mailDomain: the domain whose mail reaches relay addresses.
    ///   - remarks: further lines, already indented.
    func announcement(juice: String?, mailDomain: String, remarks: [String] = []) -> String {
        var lines = [
            "",
            "Open \(service) and sign in with Apple, as Johnny Appleseed or anybody.",
            "",
            "  The account service",
            "    start page     \(service)",
            "    device page    \(service)/device   (for the codes of apps)",
            "",
            "  Apple, played by the emulator. Nothing leaves this machine.",
            "    settings       \(emulator)/settings   (what people do at Apple)",
            "    mail           \(emulator)/mail   (SMTP on port \(mailPort), from \(mailDomain))",
            "    request log    \(emulator)/emulator/requests/page",
            "    all the rest   \(emulator)",
        ]
        if let juice {
            lines += ["", "  The sample app, in another terminal", "    \(juice) --backend \(service)"]
        }
        if !remarks.isEmpty { lines += [""] + remarks }
        return (lines + ["", "Ctrl-C ends both."]).joined(separator: "\n")
    }

    /// The sample app that was built beside this program.
    /// - Parameters:
    ///   - program: the path of this program.
    ///   - folder: the folder that a person's terminal is in; a path below it is given from there.
    /// - Returns: nil when there is none.
    static func juice(beside program: String?, from folder: String) -> String? {
        guard let program, let slash = program.lastIndex(of: "/") else { return nil }
        let path = String(program[...slash]) + "juice"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        return path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    }
}
