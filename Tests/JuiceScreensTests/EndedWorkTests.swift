import AccountClient
import AuthenticationServicesTesting
import Foundation
import TaskSignals
import Testing

@testable import JuiceScreens

@Suite("Work of Juice's that ends otherwise than the person wanted", .timeLimit(.minutes(1)))
struct EndedWorkTests {
    private let service = CannedAccountService()

    /// Makes work for a person who is signed in, and the events that it sends.
    private func begin(over transport: ServiceTransport? = nil) async throws -> (AccountWork, AsyncStream<Event>) {
        let backend = try #require(URL(string: "https://accounts.example.com"))
        let client = AccountClient(backend: backend, app: "juice", storage: MemoryStorage()) {
            $0.transport = transport ?? service.transport
        }
        let credential = AppleCredential(
            user: "001999.f2a7", identityToken: "a token", authorizationCode: "a code", nonce: "a nonce")
        try await client.signIn(with: credential)
        let (events, send) = AsyncStream<Event>.makeStream()
        return (AccountWork(client: client, events: send), events)
    }

    /// Ends the session at the account service.
    private func endSession() throws {
        for call in ["GET /v1/account", "DELETE /v1/account", "POST /v1/challenges", "GET /v1/links"] {
            try service.refuse(call, status: 401, code: "session_ended")
        }
        try service.refuse("POST /v1/session/refresh", status: 401, code: "session_ended")
        try service.refuse("GET /v1/apple/credential-state", status: 401, code: "access_token_invalid")
    }

    @Test(
        "The login comes if the session has ended, and says so",
        arguments: [
            Effect.deleteAccount(password: nil), .upgrade(password: nil, endingOthers: false),
            .changeWaysIn(.remove(id: "idn_1"), password: nil),
        ])
    func sessionEnded(effect: Effect) async throws {
        let (begun, events) = try await begin()
        var work = begun
        try endSession()
        work.perform(effect)
        let first = await events.first { _ in true }
        let event = try #require(first)
        guard case .signedOut(let notice?) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(notice.kind == .problem && notice.text.contains("session"))
        var model = JuiceModel.atResult
        _ = model.handle(.pressed(.delete))
        _ = model.handle(.pressed(.confirmDeletion))
        // The session's own news come first, and are left to the work.
        _ = model.handle(.sessionEnded(.sessionEnded))
        _ = model.handle(event)
        #expect(model.screen == .login(notice))
    }

    @Test(
        "A deletion that is given up on its way is done, or may still be, as the account service says",
        arguments: [true, false])
    func cancelledDeletion(tooLate: Bool) async throws {
        let sent = OneShot<Void>()
        let transport = ServiceTransport { [service] request in
            guard request.method == "DELETE", request.path == "/v1/account" else {
                return try await service.transport.send(request)
            }
            sent.deliver()
            // The answer doesn't come before the person gives up.
            try await OneShot<Void>().value()
            throw CancellationError()
        }
        let (begun, events) = try await begin(over: transport)
        var work = begun
        work.perform(.deleteAccount(password: nil))
        try await sent.value()
        if tooLate { try endSession() }
        work.perform(.cancelDeletion)
        let first = await events.first { _ in true }
        switch try #require(first) {
        case .accountDeleted(let notice): #expect(tooLate && notice == .deletedAfterAll)
        case .deletionEnded(let notice): #expect(!tooLate && notice == .mayStillBeDeleted)
        case let other: Issue.record("\(other)")
        }
    }
}
