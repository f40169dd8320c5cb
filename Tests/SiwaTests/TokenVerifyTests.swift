import Foundation
import Testing

/// Tokens that Apple really signed, at the time of their signing.
private struct RealTokens: Decodable {
    let audience: String
    let identityTokenWithEmail: String
    let serverNotification: String

    static func load() throws -> RealTokens {
        try JSONDecoder().decode(RealTokens.self, from: try Data(contentsOf: file))
    }

    static let file = Transcript.folder.deletingLastPathComponent().appending(path: "AppleIDTests/Vectors/tokens.json")

    /// The key set alone, in a file of its own.
    static func keyFile() throws -> URL {
        let whole = try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any]
        let keys = try #require(whole?["keys"])
        let copy = FileManager.default.temporaryDirectory.appending(path: "siwa-keys-\(UUID().uuidString).json")
        try JSONSerialization.data(withJSONObject: keys).write(to: copy)
        return copy
    }
}

@Suite("siwa token verify")
struct TokenVerifyTests {
    private let tokens: RealTokens
    private let keys: String

    init() throws {
        tokens = try RealTokens.load()
        keys = try RealTokens.keyFile().path
    }

    private func verify(_ arguments: String..., input: String? = nil) throws -> Transcript.Result {
        try verify(arguments, input: input)
    }

    private func verify(_ arguments: [String], input: String? = nil) throws -> Transcript.Result {
        try Transcript.run(["token", "verify", "--keys", keys] + arguments, input: input)
    }

    /// Runs with a file that holds one line.
    private func withFile<Result>(_ line: String, _ work: (_ path: String) throws -> Result) throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "siwa-line-\(UUID().uuidString)")
        try Data((line + "\n").utf8).write(to: file)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        return try work(file.path)
    }

    @Test("accepts a real token at its time")
    func good() throws {
        let result = try withFile(tokens.identityTokenWithEmail) {
            try verify("--audience", tokens.audience, "--at", "1614431194", "--file", $0)
        }
        try Transcript.expect("token-verify-good", result)
        #expect(result.status == 0)
    }

    @Test("reads the token from standard input")
    func standardInput() throws {
        let result = try verify(
            "--audience", tokens.audience, "--at", "1614431194", input: tokens.identityTokenWithEmail + "\n")
        try Transcript.expect("token-verify-good", result)
    }

    @Test("says that a token has expired, and which other checks pass")
    func expired() throws {
        let result = try verify(
            "--audience", tokens.audience, "--at", "1614521194", input: tokens.identityTokenWithEmail)
        try Transcript.expect("token-verify-expired", result)
        #expect(result.status == 1)
    }

    @Test("says that a token is for another client, in JSON too")
    func audience() throws {
        let result = try verify(
            "--audience", "com.example.other", "--at", "1614431194", "--json", tokens.identityTokenWithEmail)
        #expect(result.status == 1)
        let whole = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(whole["verified"] as? Bool == false)
        let checks = try #require(whole["checks"] as? [[String: Any]])
        let failed = checks.filter { $0["outcome"] as? String == "failed" }
        #expect(failed.map { $0["code"] as? String } == ["audience_mismatch"])
        #expect(checks.allSatisfy { $0.keys.contains("code") })
    }

    @Test("recognizes a notification, and says how to verify it", arguments: [true, false])
    func kinds(hasAudience: Bool) throws {
        let result = try Transcript.run(
            ["token", "verify", "--keys", keys, "--at", "1630085412", tokens.serverNotification]
                + (hasAudience ? ["--audience", tokens.audience] : []))
        #expect(result.status == 1)
        #expect(result.output.contains("not_an_identity_token"))
        #expect(result.output.contains("--notification"))
        #expect(!result.output.contains("audience_mismatch"))
    }

    @Test("verifies a notification, or the whole body that a server received")
    func notification() throws {
        let arguments = ["--notification", "--audience", tokens.audience, "--at", "1630085412"]
        for input in [tokens.serverNotification, "{\"payload\": \"\(tokens.serverNotification)\"}\n"] {
            let result = try Transcript.run(["token", "verify", "--keys", keys] + arguments, input: input)
            try Transcript.expect("token-verify-notification", result)
            #expect(result.status == 0)
        }
        let other = try verify(
            "--notification", "--audience", tokens.audience, "--at", "1614431194", tokens.identityTokenWithEmail)
        #expect(other.status == 1)
        #expect(other.output.contains("not_a_notification"))
    }

    @Test("names the audience of a notification if none was given")
    func notificationForAnybody() throws {
        let result = try verify("--notification", "--at", "1630085412", tokens.serverNotification)
        #expect(result.status == 0)
        #expect(result.output.contains("skipped  audience         the token is for \(tokens.audience); no --audience"))
        #expect(result.output.contains("The notification is good, as far as it was checked."))
    }

    @Test(
        "compares with the code and the access token when they are given",
        arguments: [("--code", "code_hash_mismatch"), ("--access-token", "access_token_hash_missing")])
    func hashes(option: String, code: String) throws {
        let arguments = ["--audience", tokens.audience, "--at", "1614431194"]
        let given = try verify(arguments + [option, "c0ffee"], input: tokens.identityTokenWithEmail)
        let inFile = try withFile("c0ffee") {
            try verify(arguments + [option + "-file", $0], input: tokens.identityTokenWithEmail)
        }
        for result in [given, inFile] {
            #expect(result.status == 1)
            #expect(result.output.contains(code))
            #expect(!(result.output + result.complaints).contains("c0ffee"))
        }
    }

    @Test("refuses a token without a nonce if one is given")
    func nonce() throws {
        let result = try verify(
            "--audience", tokens.audience, "--nonce", "n-0S6_WzA2Mj", "--at", "1614431194",
            tokens.identityTokenWithEmail)
        #expect(result.status == 1)
        #expect(result.output.contains("nonce_missing"))
    }

    @Test("reports a text that isn't a token as malformed", arguments: ["x", "a.b.c", "..", "{}", "\u{FEFF}"])
    func garbage(text: String) throws {
        let result = try verify("--audience", tokens.audience, text)
        #expect(result.status == 1)
        #expect(result.output.contains("malformed_token"))
        #expect(!result.output.contains("Optional"))
    }

    @Test(
        "refuses invalid arguments",
        arguments: [
            ["--at", "yesterday", "x"], ["--at", "-1", "x"], ["--audience", "", "x"], ["--nonce", "", "x"], ["x", "y"],
            ["--unknown", "x"], [], ["--code", "", "x"], ["--access-token", "", "x"],
            ["--notification", "--nonce", "n", "x"], ["--notification", "--code", "c", "x"],
            ["--notification", "--access-token", "t", "x"],
        ])
    func usage(arguments: [String]) throws {
        let result = try Transcript.run(["token", "verify"] + arguments, input: "")
        #expect(result.status == 2)
        #expect(result.output.isEmpty)
        #expect(!result.complaints.isEmpty)
    }

    @Test("names the keys that it can't load", arguments: ["/nowhere/keys.json", "http://127.0.0.1:1/keys"])
    func keys(place: String) throws {
        let result = try Transcript.run(["token", "verify", "--keys", place], input: tokens.identityTokenWithEmail)
        #expect(result.status == 1)
        #expect(result.complaints.hasPrefix("error: "))
        #expect(result.complaints.contains(place))
    }
}
