import AccountAPI
import AccountEngines
import AccountHTTP
import AccountService
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("A service of today, on the database of an earlier service", .eachEngine)
struct UpgradeTests {
    @Test(
        "gives the answers of then; an answer may have more members now",
        arguments: [(.unsignedRefreshTokens, 7), (.separateStatements, 9)] as [(EarlierProgram, Int)])
    func answers(program: EarlierProgram, count: Int) async throws {
        try await run(program) { recorded, service in
            #expect(recorded.record.answers.count == count)
            for (name, call) in recorded.record.answers {
                var headers: HTTPFields = [:]
                headers[.authorization] = call.token.map { "Bearer \($0)" }
                let answer = try await service.execute(uri: call.path, method: .get, headers: headers)
                #expect(answer.status.code == call.status, "\(name)")
                let differences = call.body.differences(from: try answer.decode(JSONTree.self))
                #expect(
                    differences.filter { !Self.changesWithEachCall.contains($0.prefixBeforeColon) } == [], "\(name)")
            }
        }
    }

    @Test("lets an app go on with its session, by the refresh token that it holds", arguments: EarlierProgram.allCases)
    func refreshes(program: EarlierProgram) async throws {
        try await run(program) { recorded, service in
            let token = try #require(recorded.record.ada.refreshTokens.last)
            let refreshed = try await service.refresh(token)
            #expect(refreshed.status == .ok)
            let session = try refreshed.decode(RefreshAnswer.self).session
            let account = try await service.account(session.accessToken)
            #expect(try account.decode(AccountAnswer.self).account.id == recorded.record.ada.account)
            // The access token of before the upgrade is good until it expires.
            #expect(try await service.account(recorded.record.ada.accessToken).status == .ok)
            #expect(try await service.refresh(session.refreshToken).status == .ok)
        }
    }

    @Test(
        "ends the session when a refresh token comes again that was exchanged before the upgrade",
        arguments: EarlierProgram.allCases, [0, 1, 2])
    func reuse(program: EarlierProgram, index: Int) async throws {
        try await run(program) { recorded, service in
            let again = try await service.refresh(recorded.record.ada.refreshTokens[index])
            #expect(again.errorCode == .refreshTokenReused)
            #expect(try await service.account(recorded.record.ada.accessToken).errorCode == .sessionEnded)
        }
    }

    @Test("knows a browser by its cookie", arguments: EarlierProgram.allCases)
    func browser(program: EarlierProgram) async throws {
        try await run(program) { recorded, service in
            let page = try await service.execute(
                uri: "/account", method: .get, headers: [.cookie: Self.header(recorded.record.grace.cookies)])
            #expect(page.status == .ok)
        }
    }

    @Test("finishes a sign-in that a browser began before the upgrade", arguments: EarlierProgram.allCases)
    func attempt(program: EarlierProgram) async throws {
        try await run(program) { recorded, service in
            let waiting = recorded.record.waiting
            var form = URLComponents()
            form.queryItems = try await recorded.system
                .decide(at: waiting.location, person: try #require(recorded.record.people["ada"]))
                .map { URLQueryItem(name: $0.name, value: $0.value) }
            let body = try #require(form.percentEncodedQuery)
            let answer = try await service.execute(
                uri: "/sign-in/apple/callback", method: .post,
                headers: [
                    .cookie: Self.header(waiting.cookies), .contentType: "application/x-www-form-urlencoded",
                ], body: ByteBuffer(string: body))
            #expect(answer.status == .seeOther)
        }
    }

    @Test("finds the account of a person who signs in again", arguments: EarlierProgram.allCases)
    func returning(program: EarlierProgram) async throws {
        try await run(program) { recorded, _ in
            let ada = try #require(recorded.record.people["ada"])
            let signedIn = try await recorded.system.domain.signIn.native(
                recorded.system.device(person: ada, name: nil))
            #expect(signedIn.account.id.rawValue == recorded.record.ada.account)
            #expect(signedIn.account.name?.givenName == "Ada")
        }
    }

    @Test("repeats an answer that an app never got, by the attempt of its refresh")
    func lostAnswer() async throws {
        try await run(.separateStatements) { recorded, service in
            let lost = try #require(recorded.record.lost)
            let repeated = try await service.refresh(lost.refreshToken, attempt: lost.attempt)
            let session = try repeated.decode(RefreshAnswer.self).session
            #expect(session.refreshToken == lost.successor)
            #expect(try await service.account(session.accessToken).status == .ok)
        }
    }

    @Test("lets a person allow a device that showed its code before the upgrade")
    func device() async throws {
        try await run(.separateStatements) { recorded, _ in
            let shown = try #require(recorded.record.device)
            let device = WaitingDevice(
                deviceCode: shown.deviceCode, userCode: shown.userCode, verifier: shown.codeVerifier)
            let person = try #require(recorded.record.people["ada"])
            _ = try await recorded.system.allow(device, person: person)
            #expect(try await recorded.system.poll(device).state == "of-the-app")
        }
    }

    @Test("gives a person the name that was kept for them before the upgrade")
    func pendingProfile() async throws {
        try await run(.separateStatements) { recorded, _ in
            let nora = try #require(recorded.record.people["nora"])
            let signedIn = try await recorded.system.domain.signIn.native(
                recorded.system.device(person: nora, name: nil))
            #expect(signedIn.account.name?.givenName == "Nora")
        }
    }

    /// Members that say when or for which request an answer was made.
    private static let changesWithEachCall: Set<String> = [".exportedAt", ".error.requestID"]

    private static func header(_ cookies: [String: String]) -> String {
        cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }

    private func run(
        _ program: EarlierProgram, _ test: @escaping @Sendable (RecordedSystem, Calls) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let recorded = try await RecordedSystem(program, on: Engine.current, in: folder)
        let application = try buildApplication(
            domain: recorded.system.domain,
            configuration: AccountHTTPConfiguration(appName: "Juice", emulatorURL: TestSystem.emulatorURL), port: 0,
            logger: TestSystem.silence)
        try await application.test(.router) { client in try await test(recorded, Calls(client: client)) }
    }

    /// A client's calls.
    private struct Calls: Sendable {
        let client: any TestClientProtocol

        func execute(
            uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil
        ) async throws -> TestResponse {
            try await client.execute(uri: uri, method: method, headers: headers, body: body)
        }

        func refresh(_ token: String, attempt: String? = nil) async throws -> TestResponse {
            try await execute(
                uri: "/v1/session/refresh", method: .post, headers: [.contentType: "application/json"],
                body: ByteBuffer(bytes: try JSONEncoder().encode(RefreshRequest(refreshToken: token, attempt: attempt)))
            )
        }

        func account(_ token: String) async throws -> TestResponse {
            try await execute(uri: "/v1/account", method: .get, headers: [.authorization: "Bearer \(token)"])
        }
    }
}

extension String {
    fileprivate var prefixBeforeColon: String { String(prefix { $0 != ":" }) }
}
