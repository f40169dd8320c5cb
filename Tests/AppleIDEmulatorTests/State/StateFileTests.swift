import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("The state file")
struct StateFileTests {
    /// A folder of its own, gone when the test is over.
    private func withFolder(_ body: (_ file: String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-emulator-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder.appending(path: "emulator.json").path)
    }

    @Test("portal, keys, grants and refresh tokens outlive a restart, and URLs are those of the new run")
    func roundTrip() async throws {
        try await withFolder { file in
            let first = try await TestEmulator(portal: nil) { $0.stateFile = file }
            let portal = first.emulator.portal
            let keys = try await first.get("/auth/keys").text
            let answer = try await first.authorize(["hideEmail": true])
            let token = try await ReceivedToken(answer["id_token"], from: first)

            let second = try await TestEmulator(portal: nil) {
                $0.stateFile = file
                $0.baseURL = "http://127.0.0.1:5050"
                $0.returnURLs = ["http://localhost:5000/sign-in/apple/callback"]
            }
            #expect(try await second.get("/auth/keys").text == keys)
            #expect(second.emulator.portal.teams[0].apps[0].keys == portal.teams[0].apps[0].keys)
            #expect(second.emulator.portal.baseURL == "http://127.0.0.1:5050")
            #expect(
                second.emulator.portal.teams[0].apps[0].services[0].returnURLs == [
                    TestEmulator.callback, "http://localhost:5000/sign-in/apple/callback",
                ])
            let again = try await second.authorize()
            #expect(again["user"] == nil)
            let later = try await ReceivedToken(again["id_token"], from: second)
            #expect(later["email"] == token["email"])
            #expect(later["sub"] == token["sub"])
        }
    }

    @Test("a refresh token outlives a restart")
    func refreshToken() async throws {
        try await withFolder { file in
            let first = try await TestEmulator { $0.stateFile = file }
            let code = try #require(try await first.authorize()["code"] as? String)
            let refresh = try #require(try await first.redeem(code).json["refresh_token"] as? String)
            let second = try await TestEmulator { $0.stateFile = file }
            let changes: [String: String?] = ["grant_type": "refresh_token", "refresh_token": refresh]
            #expect(try await second.redeem("", changes).status == 200)
            #expect(try await second.redeem(code).error == "invalid_grant", "codes do not")
        }
    }

    @Test("a name that was held back stays away after a restart")
    func pendingProfile() async throws {
        try await withFolder { file in
            let first = try await TestEmulator {
                $0.stateFile = file
                $0.behaviour.revocationKeepsName = true
            }
            let token = try #require(try await first.tokens()["refresh_token"] as? String)
            #expect(try await first.revoke(token).status == 200)
            let second = try await TestEmulator { $0.stateFile = file }
            #expect(try await second.authorize()["user"] == nil)
            let third = try await TestEmulator { $0.stateFile = file }
            _ = try await third.call(
                "/emulator/grants/stop-using", ["person": "johnny", "clientID": "com.example.juice.web"])
            #expect(try await third.authorize()["user"] != nil, "once only")
        }
    }

    @Test("the file is readable by its owner only, even if it replaces one that was not")
    func permissions() async throws {
        try await withFolder { file in
            try Data("{}".utf8).write(to: URL(filePath: file + ".new"))
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file + ".new")
            let emulator = try await TestEmulator { $0.stateFile = file }
            _ = try await emulator.authorize()
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(!FileManager.default.fileExists(atPath: file + ".new"))
        }
    }

    @Test(
        "an unreadable file stops the start, and isn't overwritten", arguments: ["", "[]", "{\"version\": 1}", "{"])
    func unreadable(_ text: String) async throws {
        try await withFolder { file in
            try Data(text.utf8).write(to: URL(filePath: file))
            await #expect(throws: EmulatorError(.unreadableState, "")) {
                try await TestEmulator { $0.stateFile = file }
            }
            #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == text)
        }
    }

    @Test("a time that is no date stops the start, too", arguments: [Int64.min, -1, 253_402_300_800, .max])
    func impossibleTime(_ time: Int64) async throws {
        try await withFolder { file in
            let first = try await TestEmulator { $0.stateFile = file }
            _ = try await first.authorize()
            let url = URL(filePath: file)
            let text = try String(contentsOf: url, encoding: .utf8)
            let changed = text.replacing(#/"firstAuthorizedAt":\d+/#) { _ in "\"firstAuthorizedAt\":\(time)" }
            #expect(changed != text)
            try Data(changed.utf8).write(to: url)
            await #expect(throws: EmulatorError(.unreadableState, "")) {
                try await TestEmulator { $0.stateFile = file }
            }
        }
    }

    @Test("a damaged former key of a transfer stops the start, too")
    func damagedFormerKey() async throws {
        try await withFolder { file in
            let first = try await TestEmulator { $0.stateFile = file }
            let order = ["clientID": "com.example.soda", "team": "CIDERTEAM2"]
            #expect(try await first.call("/emulator/transfers", order).status == 200)
            let url = URL(filePath: file)
            let key = TestPortal.otherGroupKey.privateKey.replacing("\n", with: "\\n")
            let text = try String(contentsOf: url, encoding: .utf8)
            #expect(text.contains(key), "the key that soda had is in the file only as a former one")
            try Data(text.replacing(key, with: "nonsense").utf8).write(to: url)
            let error = await #expect(throws: EmulatorError(.unreadableState, "")) {
                try await TestEmulator { $0.stateFile = file }
            }
            #expect(error?.reason.contains("KEYSODA001") == true)
        }
    }

    @Test("the file has each of many concurrent changes before its answer")
    func together() async throws {
        try await withFolder { file in
            let emulator = try await TestEmulator { $0.stateFile = file }
            try await withThrowingDiscardingTaskGroup { group in
                for number in 0..<40 {
                    group.addTask {
                        let person = ["id": "p\(number)", "email": "p\(number)@example.com"]
                        #expect(try await emulator.call("/emulator/portal/people", person).status == 200)
                        let saved = try await StateFile(path: file).load()
                        #expect(saved?.portal.people.contains { $0.id == person["id"] } == true, "before the answer")
                    }
                }
            }
            let again = try await TestEmulator { $0.stateFile = file }
            #expect(again.emulator.portal.people.count == TestPortal.portal.people.count + 40)
        }
    }

    @Test("a file that already holds the state is not written again")
    func unchanged() async throws {
        try await withFolder { file in
            let emulator = try await TestEmulator { $0.stateFile = file }
            let before = try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int
            try await emulator.emulator.core.saveState()
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int == before)
            _ = try await emulator.authorize()
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.systemFileNumber] as? Int != before)
        }
    }

    @Test("a failed write is an error of the emulator, without details")
    func unwritable() async throws {
        try await withFolder { file in
            let emulator = try await TestEmulator { $0.stateFile = file }
            try FileManager.default.removeItem(atPath: URL(filePath: file).deletingLastPathComponent().path)
            let answer = try await emulator.order(["person": "johnny", "clientID": "com.example.juice.web"])
            #expect(answer.status == 500)
            #expect(answer.error == "server_error")
            #expect(!answer.text.contains(file))
        }
    }

    @Test("without a file, a restart forgets everything")
    func forgetful() async throws {
        let first = try await TestEmulator()
        _ = try await first.authorize()
        let second = try await TestEmulator()
        #expect(try await second.authorize()["user"] != nil)
    }
}
