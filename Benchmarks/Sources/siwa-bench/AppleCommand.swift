import ArgumentParser
import Foundation
import Hummingbird
import Logging

/// Stands in for Apple while sign-ins are measured: writes bodies for `POST /v1/sign-in/apple`, then serves its key
/// set.
struct AppleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "apple")

    @Option(help: "The port of the key endpoint, on 127.0.0.1.")
    var port: Int

    @Option(help: "How many bodies to write.")
    var count: Int

    @Option(help: "How many people they are of, in turns: all of them first, then all of them again.")
    var people: Int

    @Option(help: "The file for the bodies, one a line.")
    var bodies: String

    @Option(help: "How many bodies of further people to write, each of another one.")
    var newcomers = 0

    @Option(help: "The file for those, one a line.")
    var newcomerBodies: String?

    @Option(help: "The audience of the tokens.")
    var audience = "com.example.juice"

    func run() async throws {
        guard people > 0 else { throw ValidationError("There must be somebody.") }
        let mint = try TokenMint(audience: audience)
        let people = people
        try await Self.write(to: bodies, count: count) { number in
            try mint.token(number, person: number % people)
        }
        if let newcomerBodies {
            let count = count
            try await Self.write(to: newcomerBodies, count: newcomers) { number in
                try mint.token(count + number, person: people + number)
            }
        }
        try await serve(ByteBuffer(bytes: try mint.keySet()))
    }

    private static func write(
        to file: String, count: Int, token: @escaping @Sendable (_ number: Int) throws -> (token: String, nonce: String)
    ) async throws {
        let lanes = 2
        let lines = try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for lane in 0..<lanes {
                let range = (lane * count / lanes)..<((lane + 1) * count / lanes)
                group.addTask {
                    let lines = try range.map { number in
                        let (token, nonce) = try token(number)
                        return #"{"identityToken":"\#(token)","nonce":"\#(nonce)"}"#
                    }
                    return (lane, lines)
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }.sorted { $0.key < $1.key }.flatMap(\.value)
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: file))
    }

    private func serve(_ keySet: ByteBuffer) async throws {
        let router = Router()
        router.get("auth/keys") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: keySet))
        }
        var logger = Logger(label: "siwa-bench")
        logger.logLevel = .warning
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { _ in print("ready") }, logger: logger)
        try await application.runService()
    }
}
