import Foundation
import Testing

@Suite("siwa keys apple")
struct AppleKeysTests {
    private static let folder = Transcript.folder.deletingLastPathComponent().appending(path: "AppleIDTests/Vectors")

    private func withKeys(_ body: (_ file: String, _ token: String) throws -> Void) throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "tokens.json"))
        let whole = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-keys-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        try JSONSerialization.data(withJSONObject: try #require(whole["keys"])).write(to: file)
        try body(file.path, try #require(whole["identityTokenWithEmail"] as? String))
    }

    @Test("lists the keys, and names the key of a token")
    func list() throws {
        try withKeys { file, token in
            let all = try Transcript.run(["keys", "apple", "--keys", file])
            #expect(all.status == 0)
            #expect(all.output.contains("YuyXoY") && all.output.contains("2048"))
            let one = try Transcript.run(
                ["keys", "apple", "--keys", file, "--token-file", "-", "--json"], input: token)
            let whole = try #require(try JSONSerialization.jsonObject(with: Data(one.output.utf8)) as? [String: Any])
            let keys = try #require(whole["keys"] as? [[String: Any]])
            #expect(keys.map { $0["kid"] as? String } == ["YuyXoY"])
            #expect(keys.first?["isUsable"] as? Bool == true)
        }
    }

    @Test("says that a key doesn't exist")
    func unknown() throws {
        try withKeys { file, _ in
            let result = try Transcript.run(["keys", "apple", "--keys", file, "--kid", "nobody"])
            #expect(result.status == 1)
            #expect(result.complaints.contains("error: unknown_key: ") && result.complaints.contains("hint: "))
        }
    }

    @Test(
        "refuses arguments that contradict each other",
        arguments: [
            ["--kid", "a", "--token", "b"], ["--kid", ""], ["--keys", "x", "--emulator", "http://127.0.0.1:1"],
        ])
    func usage(arguments: [String]) throws {
        #expect(try Transcript.run(["keys", "apple"] + arguments).status == 2)
    }
}
