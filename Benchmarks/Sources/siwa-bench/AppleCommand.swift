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

    @Option(help: "How many bodies to write, each of another person.")
    var count: Int

    @Option(help: "The file for the bodies, one a line.")
    var bodies: String

    @Option(help: "The audience of the tokens.")
    var audience = "com.example.juice"

    func run() async throws {
        let mint = try TokenMint(audience: audience)
        let count = count
        let lanes = 2
        let lines = try await withThrowingTaskGroup(of: [String].self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    try stride(from: lane, to: count, by: lanes).map { number in
                        let (token, nonce) = try mint.token(number)
                        return #"{"identityToken":"\#(token)","nonce":"\#(nonce)"}"#
                    }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: bodies))
        let keySet = ByteBuffer(bytes: try mint.keySet())
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
