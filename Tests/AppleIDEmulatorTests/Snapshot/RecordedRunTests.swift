import AppleIDTypes
import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

/// The recording of an emulator of November 2026: a snapshot, a state file, and what it answered at that moment.
///
/// The files in `Recorded/` are never written again. They stand for the files that people have.
@Suite("A run recorded in November 2026")
struct RecordedRunTests {
    private struct Record: Decodable {
        let refreshToken: String
        let accessToken: String
        /// The refresh token of a person who stopped using the app.
        let endedRefreshToken: String
        let openCode: String
        let usedCode: String
        /// The bodies of `GET` calls.
        let keys: String
        let grants: String
        let transfers: String
        let portal: String
    }

    private struct Quirks: Decodable {
        struct Quirk: Decodable {
            let name: String
            /// The body of the answer when this quirk alone is posted.
            let answer: String
        }

        /// In the order in which messages list them.
        let quirks: [Quirk]
        /// The body of the answer when all are posted.
        let all: String
        /// The body of the answer to a name that no quirk has.
        let refused: String
        let formerNames: [String]
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recorded")

    private static func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    private let record: Record

    init() throws {
        record = try JSONDecoder().decode(Record.self, from: Self.data("record.json"))
    }

    /// Compares what was answered then with what is answered now; only members that are new may differ.
    private func expectAnswers(of emulator: TestEmulator) async throws {
        #expect(try await emulator.get("/auth/keys").text == record.keys)
        #expect(try await emulator.get("/emulator/grants").text == record.grants)
        #expect(try await emulator.get("/emulator/transfers").text == record.transfers)
        #expect(try await emulator.get("/emulator/portal").text == record.portal)
    }

    /// A secret that the recorded portal's key signs.
    private func secret(for emulator: TestEmulator, at now: Int64 = TestEmulator.start) throws -> String {
        let app = try #require(emulator.emulator.portal.teams[0].apps.first { $0.id == "com.example.juice" })
        let key = try #require(app.keys.first)
        return try emulator.secret {
            $0.key = key
            $0.claims["iat"] = now - 30
            $0.claims["exp"] = now + 300
        }
    }

    private func refresh(_ token: String, on emulator: TestEmulator, at now: Int64) async throws -> TestEmulator.Answer
    {
        try await emulator.redeem(
            "",
            [
                "grant_type": "refresh_token", "refresh_token": token, "code": nil, "redirect_uri": nil,
                "client_secret": try secret(for: emulator, at: now),
            ])
    }

    @Test("is loaded from its snapshot, and writes one with the same members")
    func snapshot() async throws {
        let emulator = try await TestEmulator(portal: nil)
        let recorded = try Self.data("snapshot.json")
        let loaded = try await emulator.send(
            .post, "/emulator/snapshot", headers: ["content-type": "application/json"], body: Array(recorded))
        #expect(loaded.status == 204, "\(loaded.text)")
        try await expectAnswers(of: emulator)

        let before = try #require(try JSONSerialization.jsonObject(with: recorded) as? [String: any Sendable])
        let after = try await emulator.get("/emulator/snapshot").json
        for (name, value) in before {
            let later = try #require(after[name], "\(name)")
            #expect(try text(later) == text(value), "\(name)")
        }
        let quirks = try #require(before["quirks"] as? [String])
        #expect(quirks.count == 6)
        #expect(try await emulator.get("/emulator/quirks").json["quirks"] as? [String] == quirks)
    }

    @Test("continues from its snapshot: codes, tokens and quirks keep their meaning")
    func goesOn() async throws {
        let emulator = try await TestEmulator(portal: nil)
        _ = try await emulator.send(
            .post, "/emulator/snapshot", headers: ["content-type": "application/json"],
            body: Array(Self.data("snapshot.json")))
        let secret = try secret(for: emulator)
        let redeemed = try await emulator.redeem(record.openCode, ["client_secret": secret])
        #expect(redeemed.status == 200, "\(redeemed.text)")
        #expect(try redeemed.json["token_type"] as? String == "bearer", "a quirk of the snapshot")
        let token = try await ReceivedToken(redeemed.json["id_token"], from: emulator)
        #expect(token["nonce"] == "open-nonce")
        #expect(token["email"]?.hasSuffix("@icloud.com") == true, "a quirk of the snapshot")
        #expect(try await emulator.redeem(record.usedCode, ["client_secret": secret]).error == "invalid_grant")

        let throttled = try await refresh(record.refreshToken, on: emulator, at: TestEmulator.start)
        #expect(throttled.status == 429, "the refresh before the snapshot counts")
        let ended = try await refresh(record.endedRefreshToken, on: emulator, at: TestEmulator.start)
        #expect(ended.error == "invalid_grant")
        // The name was kept back when the consent was revoked.
        #expect(try await emulator.authorize(["person": "kim"])["user"] == nil)
    }

    @Test("continues from its state file, without a quirk")
    func stateFile() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-recorded-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "state.json")
        try Self.data("state.json").write(to: file)
        let emulator = try await TestEmulator(portal: nil) {
            $0.stateFile = file.path
            $0.returnURLs = []
        }
        #expect(try await emulator.get("/auth/keys").text == record.keys)
        #expect(try await emulator.get("/emulator/transfers").text == record.transfers)
        #expect(try await emulator.get("/emulator/quirks").text == #"{"quirks":[]}"#)
        let refreshed = try await refresh(record.refreshToken, on: emulator, at: TestEmulator.start)
        #expect(refreshed.status == 200, "\(refreshed.text)")
        #expect(try refreshed.json["token_type"] as? String == "Bearer")

        // A change writes the file again, with all that was in it.
        let stopped = try await emulator.call(
            "/emulator/grants/stop-using", ["person": "ida", "clientID": "org.example.cider"])
        #expect(stopped.status == 204)
        let before = try #require(
            try JSONSerialization.jsonObject(with: Self.data("state.json")) as? [String: any Sendable])
        let after = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: any Sendable])
        for (name, value) in before where !["grants", "endedGrants", "portal"].contains(name) {
            #expect(try text(try #require(after[name])) == text(value), "\(name)")
        }
    }

    @Test("has each quirk under its name of then, in the same order")
    func quirks() async throws {
        let recorded = try JSONDecoder().decode(Quirks.self, from: Self.data("quirks.json"))
        #expect(recorded.quirks.count == 59)
        let emulator = try await TestEmulator()
        for quirk in recorded.quirks {
            let answer = try await emulator.call("/emulator/quirks", ["quirks": [quirk.name]])
            #expect(answer.text == quirk.answer)
            #expect(try await emulator.get("/emulator/quirks").text == quirk.answer)
        }
        // A relay address has one domain: of the two quirks for it, the one for the private domain wins, as before.
        let all = try await emulator.call("/emulator/quirks", ["quirks": recorded.quirks.map(\.name)])
        #expect(all.text == recorded.all.replacing(#""relay-at-icloud","#, with: ""))
        #expect(try await emulator.call("/emulator/quirks", ["quirks": ["mood"]]).text == recorded.refused)
        let former = try await emulator.call("/emulator/quirks", ["quirks": recorded.formerNames])
        #expect(former.text == #"{"quirks":[]}"#)
        #expect(recorded.formerNames == ["account-delete", "redirect-mismatch-is-invalid-grant"])
    }

    /// The value as JSON. Lists of texts are sorted: sets are written in any order.
    private func text(_ value: Any) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: sorted(value), options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    private func sorted(_ value: Any) -> Any {
        switch value {
        case let texts as [String]: texts.sorted()
        case let values as [Any]: values.map(sorted)
        case let members as [String: Any]: members.mapValues(sorted)
        default: value
        }
    }
}
