import AccountAPI
import AccountClient
import AuthenticationServicesTesting
import Foundation
import TaskSignals
import Testing

@Suite("The attempt of a refresh", .timeLimit(.minutes(2)))
struct RefreshAttemptTests {
    private let device = TestDevice()

    private var attempts: [String?] {
        device.service.requests("POST /v1/session/refresh").map { $0.json["attempt"] as? String }
    }

    /// The token and attempt in storage.
    private var stored: (token: String?, attempt: String?) {
        get throws {
            let text = try #require(try device.stored)
            let record = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            let session = try #require(record["session"] as? [String: Any])
            return (session["refreshToken"] as? String, session["attempt"] as? String)
        }
    }

    @Test("It is stored beside the token before both are sent, is the same in each repeat, and goes with the token")
    func order() async throws {
        let before = Lock<[String?]>([])
        device.service.on("POST /v1/session/refresh") { [self] request in
            let stored = try self.stored
            before.withLock { $0.append(stored.attempt) }
            #expect(stored.token == "refresh-1.0")
            let isLast = before.withLock { $0.count == 3 }
            return try await (isLast ? Reply.usual : .lost).answer(device.service, request)
        }
        let client = try await device.signedInClient()
        #expect(try stored.attempt == nil)
        device.time.advance(by: .seconds(600))
        #expect(try await client.accessToken() == "access-1.1")
        let attempt = try #require(attempts.first ?? nil)
        #expect(attempt.wholeMatch(of: /[A-Za-z0-9_-]{21}[AQgw]/) != nil)
        #expect(attempts == [attempt, attempt, attempt] && before.withLock { $0 } == attempts)
        #expect(try stored.token == "refresh-1.1" && stored.attempt == nil)

        device.service.on("POST /v1/session/refresh", .usual)
        device.time.advance(by: .seconds(600))
        _ = try await client.accessToken()
        #expect(attempts.count == 4 && attempts.last != attempt)
    }

    @Test("A process that starts anew sends the one that was stored, whether the former died before or after sending")
    func killed() async throws {
        let first = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        for reply in [Reply.unreachable(.cannotConnectToHost), .lost] {
            device.service.on("POST /v1/session/refresh", reply)
            #expect(await failure { try await first.accessToken() }?.code == .backendUnavailable)
        }
        let attempt = try #require(try stored.attempt)
        device.time.advance(by: .seconds(86_400))
        device.service.on("POST /v1/session/refresh", .usual)
        #expect(try await device.client().accessToken() == "access-1.1")
        #expect(Set(attempts) == [attempt])
    }

    @Test("Two processes that renew one token send the attempt that was stored first")
    func twoProcesses() async throws {
        let first = try await device.signedInClient()
        let second = try device.client()
        _ = try await second.existingAccount()
        let before = attempts.count
        device.time.advance(by: .seconds(600))
        device.service.on("POST /v1/session/refresh", .unreachable(.cannotConnectToHost))
        for client in [first, second] {
            #expect(await failure { try await client.accessToken() }?.code == .backendUnavailable)
        }
        #expect(attempts.count == before + 2 && Set(attempts.dropFirst(before)).count == 1)
    }

    @Test("If the attempt can't be stored, the refresh token isn't sent")
    func storageFails() async throws {
        try await withTemporaryFolder { folder in
            let device = TestDevice(storage: FileStorage(folder: folder))
            let client = try await device.signedInClient()
            device.time.advance(by: .seconds(600))
            try FileManager.default.setPermissions(0o755, of: folder)
            #expect(await failure { try await client.accessToken() }?.code == .storage)
            #expect(device.service.requests("POST /v1/session/refresh").isEmpty)
            try FileManager.default.setPermissions(0o700, of: folder)
            #expect(try await client.accessToken() == "access-1.1")
        }
    }

    @Test("A session that an older version stored has no attempt, and is renewed")
    func olderVersion() async throws {
        _ = try await device.signedInClient()
        let text = try #require(try device.stored)
        #expect(!text.contains("attempt"))
        try device.storage.save(text, as: TestDevice.name)
        device.time.advance(by: .seconds(600))
        #expect(try await device.client().accessToken() == "access-1.1")
        #expect(attempts.count == 1 && attempts[0] != nil)
    }

    @Test("A sign-out after a lost answer sends it too")
    func signOut() async throws {
        let client = try await device.signedInClient()
        device.time.advance(by: .seconds(600))
        device.service.on("POST /v1/session/refresh", .lost)
        #expect(await failure { try await client.accessToken() }?.code == .backendUnavailable)
        let attempt = try #require(try stored.attempt)
        device.service.on("POST /v1/session/refresh", .usual)
        try await client.signOut()
        #expect(Set(attempts) == [attempt])
    }
}
