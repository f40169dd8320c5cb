import AccountAPI
import AccountHTTP
import AccountService
import AppleID
import AppleIDEmulator
import AppleIDTesting
import AppleIDTypes
import AsyncHTTPTransport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@Suite("The app's own backend")
struct WebhookTests {
    private static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// A service whose webhooks go to a backend over the network, and a client of it.
    private func withBackend(
        _ engine: Engine, timeLimit: Duration = .seconds(10), secrets: String = Backend.secret,
        configure: @escaping @Sendable (inout AccountConfiguration) -> Void = { _ in },
        _ test: @escaping @Sendable (TestSystem, Backend, any TestClientProtocol) async throws -> Void
    ) async throws {
        let backend = Backend()
        try await backend.application().test(.live) { receiver in
            let network = AsyncHTTPTransport(timeLimit: timeLimit)
            do {
                let clock = TestClock()
                let hook = try Webhook(
                    url: WebhookURL("http://127.0.0.1:\(#require(receiver.port))/hooks"),
                    secrets: WebhookSecrets(parsing: secrets), transport: network,
                    environment: clock.appleIDEnvironment)
                let system = try await TestSystem(engine, clock: clock, hooks: [hook], configure: configure)
                let application = try buildApplication(domain: system.domain, port: 0, logger: Self.silence)
                try await application.test(.router) { client in try await test(system, backend, client) }
            } catch {
                backend.finish()
                try await network.shutdown()
                throw error
            }
            backend.finish()
            try await network.shutdown()
        }
    }

    private func post(
        _ client: any TestClientProtocol, _ path: String, _ body: [UInt8], in session: SessionBody? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.authorization] = session.map { "Bearer \($0.accessToken)" }
        return try await client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(bytes: body))
    }

    /// Calls in a session.
    private func call<Answer: Decodable>(
        _ client: any TestClientProtocol, _ path: String, _ body: some Encodable, in session: SessionBody,
        status: HTTPResponse.Status = .ok, as type: Answer.Type
    ) async throws -> Answer {
        let answer = try await post(client, path, Array(JSONEncoder().encode(body)), in: session)
        try #require(answer.status == status, "\(String(buffer: answer.body))")
        return try JSONDecoder().decode(Answer.self, from: Data(answer.body.readableBytesView))
    }

    private func signIn(
        _ client: any TestClientProtocol, _ system: TestSystem, person: String = "johnny", hidesEmail: Bool = false
    ) async throws -> SignInAnswer {
        let credential = try await system.device(person: person, hidesEmail: hidesEmail)
        let request = NativeSignInRequest(
            identityToken: credential.identityToken, authorizationCode: credential.authorizationCode?.rawValue,
            nonce: credential.nonce)
        let answer = try await post(client, "/v1/sign-in/apple", Array(JSONEncoder().encode(request)))
        try #require(answer.status == .ok)
        return try JSONDecoder().decode(SignInAnswer.self, from: Data(answer.body.readableBytesView))
    }

    private func delete(_ client: any TestClientProtocol, _ session: SessionBody) async throws -> HTTPResponse.Status {
        try await client.execute(
            uri: "/v1/account", method: .delete, headers: [.authorization: "Bearer \(session.accessToken)"]
        ) { $0.status }
    }

    private func notify(_ client: any TestClientProtocol, _ system: TestSystem, _ type: String) async throws {
        system.clock.advance(by: .seconds(60))
        let answer = try await post(client, "/apple/notifications", system.notification(type))
        #expect(answer.status == .ok)
        system.clock.advance(by: .seconds(60))
    }

    @Test(
        "is told in order what happens to an account, signed with every secret, and nothing personal",
        arguments: Engine.allCases)
    func life(on engine: Engine) async throws {
        let next = "whsec_" + Data(repeating: 4, count: 24).base64EncodedString()
        try await withBackend(engine, secrets: "\(next), \(Backend.secret)") { system, backend, client in
            let id = try await signIn(client, system, hidesEmail: true).account.id
            try await notify(client, system, "email-disabled")
            try await notify(client, system, "consent-revoked")
            let again = try await signIn(client, system, hidesEmail: true)
            #expect(again.account.id == id)
            #expect(try await delete(client, again.session) == .accepted)
            #expect(backend.deliveries.isEmpty)
            try await system.domain.hookDelivery.drain()

            let told = try backend.deliveries.map { try $0.content() }
            #expect(
                told.map(\.type) == [
                    .accountCreated, .emailForwardingChanged, .appleAccessEnded, .accountDeleted,
                ])
            #expect(told.map(\.data.reason) == [nil, "disabled", "apple_consent_revoked", nil])
            #expect(told.allSatisfy { $0.data.accountID == id })
            #expect(zip(told, told.dropFirst()).allSatisfy { $0.data.sequence < $1.data.sequence })
            #expect(Set(backend.deliveries.map(\.id)).count == 4)
            for delivery in backend.deliveries {
                #expect(try delivery.isSigned(with: Backend.secret) && delivery.isSigned(with: next))
                #expect(delivery.header("content-type") == "application/json")
                let text = String(decoding: delivery.body, as: UTF8.self).lowercased()
                for word in ["johnny", "@", "token", "handle"] { #expect(!text.contains(word)) }
            }
            try await system.domain.hookDelivery.drain()
            #expect(backend.deliveries.count == 4)
        }
    }

    @Test("is told of a merge by the id of the removed account, with both ids", arguments: Engine.allCases)
    func merge(on engine: Engine) async throws {
        try await withBackend(engine) { system, backend, client in
            let from = try await signIn(client, system)
            let into = try await signIn(client, system, person: "zoe")
            let challenge = try await call(
                client, "/v1/challenges", ChallengeRequest(purpose: .link), in: into.session, as: ChallengeAnswer.self)
            let credential = try await system.device(nonce: challenge.nonce)
            let link = AppleLinkRequest(
                identityToken: credential.identityToken, authorizationCode: credential.authorizationCode?.rawValue,
                nonce: challenge.nonce)
            let refused = try await call(
                client, "/v1/link/apple", link, in: into.session, status: .conflict, as: ErrorEnvelope.self)
            guard case .credentialAlreadyInUse(let conflict)? = refused.error.details else {
                Issue.record("no handle: \(refused)")
                return
            }
            let plan = try await call(
                client, "/v1/account/merge/preview", MergePreviewRequest(handle: conflict.handle), in: into.session,
                as: MergePreviewAnswer.self)
            _ = try await call(
                client, "/v1/account/merge", MergeRequest(handle: conflict.handle, plan: plan.plan), in: into.session,
                as: MergeAnswer.self)
            try await system.domain.hookDelivery.drain()

            let told = try backend.deliveries.map { try $0.content() }
            #expect(told.map(\.type) == [.accountCreated, .accountCreated, .accountMerged])
            let merged = try #require(told.last?.data)
            #expect(merged.accountID == from.account.id && merged.identityID == nil && merged.reason == nil)
            #expect(merged.merged == MergedAccountsBody(from: from.account.id, into: into.account.id))
            #expect(told.filter { $0.data.accountID == from.account.id }.map(\.data.sequence).max() == merged.sequence)
            #expect(told.dropLast().allSatisfy { $0.data.merged == nil })
            // A receiver in another language sees the member in this notice alone.
            let members = backend.deliveries.map { String(decoding: $0.body, as: UTF8.self).contains(#""merged":"#) }
            #expect(members == [false, false, true])
        }
    }

    @Test(
        "gets a refused message again, with the same id and body, and its redirects aren't followed",
        arguments: Engine.allCases, [500, 404, 302])
    func refusal(on engine: Engine, status: Int) async throws {
        try await withBackend(engine) { system, backend, client in
            backend.behave(.status(status))
            let session = try await signIn(client, system).session
            #expect(try await delete(client, session) == .accepted)
            for _ in 0..<3 {
                try await system.domain.hookDelivery.drain()
                system.clock.advance(by: .seconds(20))
            }
            #expect(backend.deliveries.count == 3)
            backend.behave(.status(200))
            try await system.domain.hookDelivery.drain()
            #expect(
                try backend.deliveries.map { try $0.content().type }
                    == [.accountCreated, .accountCreated, .accountCreated, .accountCreated, .accountDeleted])
            #expect(Set(backend.deliveries.map(\.id)).count == 2)
            #expect(Set(backend.deliveries.map(\.body)).count == 2)
            #expect(Set(backend.deliveries.compactMap { $0.header("webhook-timestamp") }).count > 1)
            for delivery in backend.deliveries { #expect(try delivery.isSigned(with: Backend.secret)) }
        }
    }

    @Test(
        "delays no other work when it never answers, and gets the message when it does", .timeLimit(.minutes(2)),
        arguments: Engine.allCases)
    func silence(on engine: Engine) async throws {
        try await withBackend(engine, timeLimit: .milliseconds(200)) { system, backend, client in
            backend.behave(.silent)
            let session = try await signIn(client, system).session
            async let telling: Void = system.domain.hookDelivery.drain()
            #expect(try await delete(client, session) == .accepted)
            try await telling
            let waiting = try await system.store.leaseNotices(
                for: "webhook",
                QueueLease(
                    owner: "test", at: Timestamp(system.clock.now) + .seconds(60),
                    until: Timestamp(system.clock.now) + .seconds(60), limit: 10))
            #expect(waiting.map(\.failure) == ["not_answered"])
            backend.behave(.status(200))
            // More than once where a busy machine takes longer than the limit for an answer that comes at once.
            repeat {
                try Task.checkCancellation()
                system.clock.advance(by: .seconds(60))
                try await system.domain.hookDelivery.drain()
            } while try backend.deliveries.last?.content().type != .accountDeleted
        }
    }

    @Test("gets missed messages from another server, and after a crash", arguments: Engine.allCases)
    func otherServer(on engine: Engine) async throws {
        try await withBackend(engine) { system, backend, client in
            _ = try await signIn(client, system)
            let moment = Timestamp(system.clock.now)
            let killed = QueueLease(owner: "killed", at: moment, until: moment + .seconds(120), limit: 8)
            #expect(try await system.store.leaseNotices(for: "webhook", killed).count == 1)
            try await system.domain.hookDelivery.drain()
            #expect(backend.deliveries.isEmpty)
            system.clock.advance(by: .seconds(120))
            try await system.domain.hookDelivery.drain()
            #expect(backend.deliveries.count == 1)
        }
    }

    @Test("isn't told of a refused sign-in", arguments: Engine.allCases)
    func refused(on engine: Engine) async throws {
        try await withBackend(engine) { system, backend, client in
            let credential = try await system.device()
            let request = NativeSignInRequest(
                identityToken: credential.identityToken, authorizationCode: "another", nonce: credential.nonce)
            let answer = try await post(client, "/v1/sign-in/apple", Array(JSONEncoder().encode(request)))
            #expect(answer.status == .unauthorized)
            try await system.domain.hookDelivery.drain()
            #expect(backend.deliveries.isEmpty)
        }
    }

    @Test(
        "An end of consent deletes the account if that is configured, and otherwise keeps it",
        arguments: Engine.allCases,
        [true, false])
    func consentRevoked(on engine: Engine, deletes: Bool) async throws {
        try await withBackend(engine, configure: { $0.deletesOnConsentRevoked = deletes }) { system, backend, client in
            let first = try await signIn(client, system)
            let account = AccountID(rawValue: first.account.id)
            try await notify(client, system, "consent-revoked")
            #expect((try await system.store.account(account) == nil) == deletes)
            let status = try await client.execute(
                uri: "/v1/account", method: .get, headers: [.authorization: "Bearer \(first.session.accessToken)"]
            ) { $0.status }
            #expect(status == .unauthorized)
            let events = try await system.store.accountEvents(of: account, after: 0, limit: 10).map(\.kind)
            #expect(events == [.signedIn, .appleAccessEnded] + (deletes ? [.accountDeleted] : []))
            let audit = try await system.store.auditEntries(of: account, before: nil, limit: 10)
            let deletions = audit.filter { $0.event == .accountDeleted }
            #expect(deletions.map(\.actor.kind) == (deletes ? [.service] : []))
            #expect(deletions.map(\.detail) == (deletes ? ["apple_consent_revoked"] : []))
            try await system.domain.hookDelivery.drain()
            #expect(
                try backend.deliveries.map { try $0.content().type }
                    == [.accountCreated, .appleAccessEnded] + (deletes ? [.accountDeleted] : []))
            // A person who returns has the account, or a new one.
            let back = try await signIn(client, system)
            #expect((back.account.id == first.account.id) != deletes && back.isNewAccount == deletes)
        }
    }

    @Test("An outdated end of consent deletes nothing", arguments: Engine.allCases)
    func outdated(on engine: Engine) async throws {
        try await withBackend(engine, configure: { $0.deletesOnConsentRevoked = true }) { system, _, client in
            let first = try await signIn(client, system)
            system.clock.advance(by: .seconds(60))
            let late = try await system.notification("consent-revoked")
            system.clock.advance(by: .seconds(60))
            #expect(try await signIn(client, system).account.id == first.account.id)
            #expect(try await post(client, "/apple/notifications", late).status == .ok)
            #expect(try await system.store.account(AccountID(rawValue: first.account.id)) != nil)
        }
    }
}

extension TestSystem {
    /// The body of a notification about Johnny that the emulator signs.
    func notification(_ type: String) async throws -> [UInt8] {
        var request = HTTPRequest(
            method: .post, scheme: "http", authority: "127.0.0.1:4010", path: "/emulator/notifications")
        request.headerFields[.contentType] = "application/json"
        let order = ["type": type, "person": "johnny", "clientID": Self.juice.rawValue]
        let (response, answer) = await emulator.respond(
            to: request, body: Array(try JSONSerialization.data(withJSONObject: order)))
        try #require(response.status == .ok)
        let members = try #require(try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any])
        return Array(try JSONEncoder().encode(["payload": try #require(members["payload"] as? String)]))
    }
}
