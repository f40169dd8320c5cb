import AccountAPI
import AccountService
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import Foundation
import HTTPTypes
import HummingbirdTesting
import InMemoryLogging
import Logging
import Testing

@Suite("While Apple doesn't know our key", .timeLimit(.minutes(2)))
struct WrongConfigurationTests {
    private let handler = InMemoryLogHandler()

    private var logger: Logger { Logger(label: "service") { [handler] _ in handler } }

    private func lines(_ level: Logger.Level) -> [String] {
        handler.entries.filter { $0.level == level }.map { "\($0.message) \($0.metadata)" }
    }

    /// The team's key is taken out of the portal: Apple calls the client invalid.
    private func takeKey(of system: TestSystem) async throws -> Portal.Key {
        let key = try #require(system.emulator.portal.teams.first?.apps.first?.keys.first)
        try await system.order("/emulator/portal/keys/remove", ["id": key.id.rawValue])
        return key
    }

    private func token(_ served: ServedSystem, _ session: SessionBody) async throws -> AppleTokenState? {
        try await served.account(session).decode(AccountAnswer.self).account.appleToken
    }

    /// Signs in with a verified token, and with a code that nobody can redeem.
    private func signIn(_ served: ServedSystem) async throws -> SessionBody {
        let answer = try await served.signIn()
        #expect(answer.isNewAccount && answer.account.appleToken == .waiting)
        #expect(answer.account.email == "johnny@example.com")
        let line = try #require(lines(.error).first { $0.contains("without a token of Apple's") })
        #expect(line.contains("client_rejected"))
        let session = try await served.refresh(answer.session).decode(RefreshAnswer.self).session
        served.system.clock.advance(by: .seconds(6))
        try await served.system.domain.outbox.drain()
        #expect(try await token(served, session) == .waiting)
        return session
    }

    @Test(
        "people sign in, and their codes are redeemed if the operator corrects the key in time",
        arguments: Engine.allCases)
    func mended(on engine: Engine) async throws {
        try await ServedSystem.run(on: engine, logger: logger) { served in
            let key = try await takeKey(of: served.system)
            let session = try await signIn(served)
            let app = try #require(served.system.emulator.portal.teams.first?.apps.first?.id)
            try await served.system.order(
                "/emulator/portal/keys",
                ["app": app.rawValue, "id": key.id.rawValue, "privateKey": key.privateKey])
            served.system.clock.advance(by: .seconds(120))
            try await served.system.domain.outbox.drain()
            #expect(try await token(served, session) == .held)
            // A good one: with it Apple ends the authorization.
            let answer = try await served.ask(
                .post, "/v1/apple/revoke", token: session.accessToken, AppleRevocationRequest())
            #expect(try answer.decode(AppleRevocationAnswer.self).manualRemoval == nil)
            try await served.system.domain.outbox.drain()
            #expect(try await served.system.isFirstAtApple())
        }
    }

    @Test(
        "people sign in, and stay signed in when a code expires, and the operator is told",
        arguments: Engine.allCases)
    func tooOld(on engine: Engine) async throws {
        try await ServedSystem.run(on: engine, logger: logger) { served in
            _ = try await takeKey(of: served.system)
            let session = try await signIn(served)
            for _ in 0..<5 {
                #expect(try await token(served, session) == .waiting)
                served.system.clock.advance(by: .seconds(60))
                try await served.system.domain.outbox.drain()
            }
            #expect(try await token(served, session) == .missing)
            let line = try #require(lines(.warning).first { $0.contains("came to nothing") })
            #expect(line.contains("too_old") && line.contains(TestSystem.juice.rawValue))
            #expect(try await served.refresh(session).status == .ok)
            #expect(try await served.signIn().isNewAccount == false)
        }
    }
}
