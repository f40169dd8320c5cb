import AccountDatabase
import AccountSQLite
import AppleID
import AppleIDTesting
import AppleIDTypes
import Logging
import ServiceLifecycle
import Testing

@testable import AccountService

/// Lets nobody pass until it is opened.
private actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// A cancellation does not end it: what the outbox has begun is shielded from any. So whoever makes a gate opens
    /// it, whatever comes.
    func pass() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        waiting.forEach { $0.resume() }
        waiting = []
    }

    /// Opens it when the work is done, or has failed, as it does when its time is over.
    nonisolated func opening(after work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            await open()
            throw error
        }
        await open()
    }
}

/// An Apple that answers no revocation before it is told to.
private struct BusyApple: AppleTransport {
    let inner: any AppleTransport
    let gate = Gate()

    func send(_ request: AppleRequest) async throws -> AppleResponse {
        if request.url.hasSuffix("/auth/revoke") { await gate.pass() }
        return try await inner.send(request)
    }
}

@Suite("Waiting codes", .timeLimit(.minutes(1)))
struct OutboxLaneTests {
    @Test("are not delayed by slow revocations, even codes that arrive meanwhile")
    func codesPass() async throws {
        let system = try await OutboxSystem()
        let busy = BusyApple(inner: system.apple)
        let domain = try await system.domain(over: busy)
        let token = try await system.grant().refreshToken
        for _ in 0..<(3 * Outbox.batchSize) { _ = try await system.order(token) }
        try await withThrowingTaskGroup { group in
            let services = ServiceGroup(
                services: [domain.finishing, domain.outbox], logger: Logger(label: "test"))
            group.addTask { try await services.run() }
            // The group waits for its services, and they for what stands at the gate.
            try await busy.gate.opening {
                while try await system.untaken() > 2 * Outbox.batchSize {
                    try Task.checkCancellation()
                    await Task.yield()
                }
                for _ in 0..<2 {
                    let code = try await system.waitingCode()
                    domain.outbox.signal.notify()
                    while try await system.entry(code).state == .waiting {
                        try Task.checkCancellation()
                        await Task.yield()
                    }
                    #expect(try await system.entry(code).state == .done)
                }
                #expect(system.apple.count(of: "/auth/revoke") == 0)
            }
            await services.triggerGracefulShutdown()
            try await group.waitForAll()
        }
    }
}

extension OutboxSystem {
    /// The number of revocations that no server has begun.
    fileprivate func untaken() async throws -> Int64 {
        try await store.database.read { connection in
            try connection.first("SELECT count(*) FROM outbox WHERE attempts = 0", []) { try $0.int64() } ?? 0
        }
    }

    /// Signs somebody in while Apple does not redeem codes, and then lets it.
    fileprivate func waitingCode() async throws -> OutboxID {
        apple.fail("/auth/token", with: .status(503))
        let nonce = "a nonce of the lanes \(UInt64.random(in: 0 ... .max))"
        let answer = try await emulator.authorize(client: Self.juice, nonce: nonce.sha256, native: true)
        _ = try await domain.signIn.native(
            NativeSignIn(identityToken: answer.identityToken, authorizationCode: answer.code, nonce: nonce),
            from: .unknown)
        apple.fail("/auth/token", with: nil)
        let id = try await store.database.read { connection in
            try connection.first("SELECT id FROM outbox WHERE kind = 'code' AND state = 'waiting'", []) {
                try OutboxID(rawValue: $0.text())
            }
        }
        clock.advance(by: .seconds(5))
        return try #require(id)
    }
}
