import ArgumentParser
import Foundation

/// Writes identity tokens with the keys and the nonces to verify them by, for verifiers in other languages.
struct TokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tokens")

    @Option(help: "How many distinct tokens.")
    var count = 2_000

    func run() throws {
        let mint = try TokenMint(audience: "com.example.juice")
        let tokens = try (0..<count).map { number in
            let (token, nonce) = try mint.token(number, person: number)
            return ["token": token, "nonce": nonce]
        }
        let keySet = try JSONSerialization.jsonObject(with: try mint.keySet())
        let output: [String: Any] = ["audience": mint.audience, "keySet": keySet, "tokens": tokens]
        print(String(decoding: try JSONSerialization.data(withJSONObject: output), as: UTF8.self))
    }
}
