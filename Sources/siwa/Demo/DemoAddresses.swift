import AppleIDEmulator
import CommandIO
import Foundation
import NIOCore
import NIOPosix

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
    ///   - rootFile: the path of the certificate that the sample app has to trust; nil without TLS.
    ///   - mailDomain: the domain whose mail reaches relay addresses.
    ///   - remarks: further lines, already indented.
    func announcement(
        juice: String?, rootFile: String? = nil, mailDomain: String, remarks: [String] = []
    ) -> String {
        var lines = [
            "",
            "Open \(service) and sign in with Apple, as Johnny Appleseed or anybody.",
            "Or sign up with any address and a password: the mail is at \(emulator)/mail/others",
            "",
            "  The account service",
            "    start page     \(service)",
            "    device page    \(service)/device   (for the codes of apps)",
            "",
            "  Apple, played by the emulator. Nothing leaves this machine.",
            "    settings       \(emulator)/settings   (what people do at Apple)",
            "    mail           \(emulator)/mail   (people's inboxes; SMTP on port \(mailPort), from \(mailDomain))",
            "    request log    \(emulator)/emulator/requests/page",
            "    all the rest   \(emulator)",
        ]
        if let juice {
            let trust = rootFile.map { "SSL_CERT_FILE=\($0) " } ?? ""
            lines += ["", "  The sample app, in another terminal", "    \(trust)\(juice) --backend \(service)"]
        }
        if !remarks.isEmpty { lines += [""] + remarks }
        return (lines + ["", "Ctrl-C ends both."]).joined(separator: "\n")
    }

    /// The sample app that was built beside this program.
    /// - Parameters:
    ///   - program: the path of this program.
    ///   - folder: the folder that this program was started in, from which a relative path is meant.
    /// - Returns: an absolute path, because another terminal may be in another folder; nil when there is none.
    static func juice(beside program: String?, from folder: String) -> String? {
        guard let program, let slash = program.lastIndex(of: "/") else { return nil }
        let path = absolute(String(program[...slash]) + "juice", from: folder)
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    /// Returns the path as it is meant in the folder.
    static func absolute(_ path: String, from folder: String) -> String {
        path.hasPrefix("/") ? path : folder + "/" + path
    }
}

/// The three ports of a demo, all on 127.0.0.1.
struct DemoPorts: Hashable, Sendable {
    /// The port that mail servers under test use most often, and that a demo takes if nobody else has it.
    static let usualMailPort = 2_525
    private static let attempts = 5

    let service: Int
    let emulator: Int
    let mail: Int

    /// Runs a demo on ports that it chooses, and on others if another program has taken one of them meanwhile. If that
    /// one was asked for by number, the second choice says which it is.
    ///
    /// The parameters and the error are those of ``choose(service:emulator:mail:)``.
    static func choose(
        service: Int, emulator: Int, mail: Int?, for run: (DemoPorts) async throws -> Void
    ) async throws {
        var attempt = 1
        while true {
            do {
                return try await run(choose(service: service, emulator: emulator, mail: mail))
            } catch {
                guard isPortTaken(error), attempt < attempts else { throw error }
                attempt += 1
            }
        }
    }

    /// Whether a server could not listen because another program listens there. The emulator says it in words of its own.
    private static func isPortTaken(_ error: any Error) -> Bool {
        let reason = (error as? EmulatorError)?.cause ?? error
        return (reason as? IOError)?.errnoCode == EADDRINUSE
    }

    /// Chooses the ports before anything is started, so that a port in use is all that a person reads about.
    /// - Parameters:
    ///   - service: 0 for any free port.
    ///   - emulator: 0 for any free port.
    ///   - mail: 0 for any free port; nil for ``usualMailPort``, or any free port where that one is in use.
    /// - Throws: ``Failure`` for a port that was asked for by number and is in use. It names the next free one.
    static func choose(service: Int, emulator: Int, mail: Int?) async throws -> DemoPorts {
        let named = [service, emulator, mail ?? 0].filter { $0 != 0 }
        let service = try await choose(service, flag: "--port", besides: named)
        let emulator = try await choose(emulator, flag: "--emulator-port", besides: named + [service])
        let others = named + [service, emulator]
        let mailPort: Int
        if let mail {
            mailPort = try await choose(mail, flag: "--mail-port", besides: others)
        } else if !others.contains(usualMailPort), try await isFree(usualMailPort) {
            mailPort = usualMailPort
        } else {
            mailPort = try await anyFree(besides: others)
        }
        return DemoPorts(service: service, emulator: emulator, mail: mailPort)
    }

    private static func choose(_ wanted: Int, flag: String, besides others: [Int]) async throws -> Int {
        guard wanted != 0 else { return try await anyFree(besides: others) }
        do {
            if try await isFree(wanted) { return wanted }
        } catch let error as IOError where error.errnoCode == EACCES {
            throw Failure("this user may not listen on port \(wanted)", hint: "\(flag) 0 takes a free one")
        }
        var next = wanted + 1
        while next <= 65_535 {
            if !others.contains(next), try await isFree(next) {
                throw Failure("port \(wanted) is in use", hint: "\(flag) \(next) takes the next free one")
            }
            next += 1
        }
        throw Failure("port \(wanted) is in use", hint: "\(flag) 0 takes a free one")
    }

    private static func anyFree(besides others: [Int]) async throws -> Int {
        while true {
            guard let port = try await listen(on: 0) else { throw Failure("the system has no free port") }
            if !others.contains(port) { return port }
        }
    }

    private static func isFree(_ port: Int) async throws -> Bool { try await listen(on: port) != nil }

    /// Listens for a moment, as the servers will.
    /// - Returns: the port, or nil when another program has it.
    private static func listen(on port: Int) async throws -> Int? {
        let channel: any Channel
        do {
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                // Connections of a moment ago must not make a port look taken.
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: "127.0.0.1", port: port).get()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            return nil
        }
        let port = channel.localAddress?.port
        try await channel.close()
        return port
    }
}
