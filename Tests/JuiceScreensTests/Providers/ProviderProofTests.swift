import AccountClient
import Foundation
import OpenAuthenticationServices
import TaskSignals
import Testing

@testable import JuiceScreens

/// The proof that a change of the account needs, for a person whose session another provider has opened.
@Suite("A change of the account by a person who signed in with another provider", .timeLimit(.minutes(1)))
struct ProviderProofTests {
    private let service = StrictService()
    private let providers = ["work=Example", "other=Other"].compactMap { OfferedProvider(text: $0) }

    /// A client that shows codes for a browser on any device. Its pauses pass at once.
    private func signedInClient() async throws -> AccountClient {
        let backend = try #require(URL(string: StrictService.backend))
        var configuration = AuthenticationServicesConfiguration(backend: backend, app: "juice")
        configuration.transport = service.transport
        configuration.flow = .device
        configuration.showDeviceCode = { _ in }
        let client = AccountClient(
            configuration: configuration, storage: MemoryStorage(), environment: .system,
            time: FlowTime(
                now: { Date() },
                sleep: { pause in
                    // The time limit of an authorization never passes.
                    guard pause > .seconds(60) else { return await Task.yield() }
                    try await OneShot<Void>().value()
                }))
        let token = ProviderToken(
            provider: .init(rawValue: StrictService.provider), identityToken: "a token",
            nonce: "a-nonce-of-the-app-s-own")
        try await client.signIn(with: token)
        return client
    }

    /// Does what the model asks, and says yes to a merge.
    /// - Returns: the events of it, the last one last.
    private func events(of effect: Effect, until isLast: (Event) -> Bool) async throws -> [Event] {
        let (events, send) = AsyncStream<Event>.makeStream()
        var work = AccountWork(client: try await signedInClient(), events: send, providers: providers)
        work.perform(effect)
        var told: [Event] = []
        for await event in events {
            told.append(event)
            if case .mergePlanned = event { work.perform(.answerQuestion(true)) }
            if isLast(event) { break }
        }
        return told
    }

    /// Does a change of the ways in.
    /// - Returns: what came before its end, the ways in, and the notice.
    private func outcome(
        of change: WaysInChange
    ) async throws -> (before: [Event], ways: [WayIn], notice: LoginNotice) {
        let told = try await events(of: .changeWaysIn(change, password: nil)) { event in
            switch event {
            case .waysInChanged, .waysInFailed, .proofNeeded, .conflictFound: true
            default: false
            }
        }
        guard case .waysInChanged(let ways, let notice)? = told.last else {
            throw NotChanged(last: told.last.map { "\($0)" })
        }
        return (Array(told.dropLast()), ways, notice)
    }

    private struct NotChanged: Error {
        let last: String?
    }

    /// Expects three requests: the call, the proof, and the call again.
    private func expectProof(between call: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            service.changes == [call, "POST /v1/reauthenticate/work", call], sourceLocation: sourceLocation)
    }

    @Test("A way in is removed after a proof at the provider")
    func removes() async throws {
        let done = try await outcome(of: .remove(id: "idn_apple"))
        #expect(done.ways.map(\.provider) == ["Example"], "the name is that of Juice's settings")
        #expect(done.notice == .unlinked(removal: nil) && done.before.isEmpty)
        expectProof(between: "DELETE /v1/links/idn_apple")
    }

    @Test("A way in at a third provider is added after a proof at the one that opened the session")
    func adds() async throws {
        let other = try #require(providers.last)
        let done = try await outcome(of: .addAt(other))
        #expect(done.notice == .linked)
        expectProof(between: "POST /v1/link/other")
    }

    @Test("Two accounts become one after a proof at the provider, and the plan has its name")
    func merges() async throws {
        let handle = SignInHandle(secret: String(repeating: "h", count: 43), user: nil, expiresAt: .distantFuture)
        let done = try await outcome(of: .merge(handle))
        #expect(done.notice == .merged)
        guard case .mergePlanned(let reading)? = done.before.first else {
            Issue.record("the person saw no plan")
            return
        }
        #expect(reading.moved.first == "Example account")
        expectProof(between: "POST /v1/account/merge/preview")
    }

    @Test("Two accounts have become one, also if the ways in can't be listed afterwards")
    func mergesBeforeOffline() async throws {
        service.goOffline(after: "POST /v1/account/merge")
        let handle = SignInHandle(secret: String(repeating: "h", count: 43), user: nil, expiresAt: .distantFuture)
        let done = try await outcome(of: .merge(handle))
        #expect(done.notice == .merged && done.ways.count == 2)
    }

    @Test("An account is deleted after a proof at the provider")
    func deletes() async throws {
        let told = try await events(of: .deleteAccount(password: nil)) { event in
            switch event {
            case .accountDeleted, .deletionEnded, .passwordNeeded: true
            default: false
            }
        }
        guard case .accountDeleted? = told.last else {
            Issue.record("nothing was deleted: \(told)")
            return
        }
        expectProof(between: "DELETE /v1/account")
    }
}
