import AccountService
import AppleID
import AppleIDTesting
import AppleIDTypes
import Foundation
import TaskSignals
import Testing

@Suite("Keys are changed while people sign in")
struct ResealingTests {
    private static let old = TestSystem.ring
    private static let new = KeyRing.newText(id: "new", randomness: Array(repeating: 6, count: 32))

    private final class Flag: Sendable {
        let isSet = Lock(false)
    }

    @Test(
        "and every sign-in, refresh and token goes through; afterwards only the new key is in use",
        arguments: Engine.allCases)
    func underLoad(on engine: Engine) async throws {
        // A ring is changed in two steps: every server can open what the new key seals before one seals with it.
        let system = try await TestSystem(engine, ring: [Self.old, Self.new].joined(separator: ","))
        // Tokens of Apple's, a name and an authorization are sealed with the old key.
        for _ in 0..<5 { _ = try await system.domain.signIn.native(system.device()) }
        _ = try await system.ask(state: "a state")
        let first = try await TestSystem(
            store: system.store, sharing: system, ring: [Self.new, Self.old].joined(separator: ","))
        let ring = try KeyRing(parsing: [Self.new, Self.old].joined(separator: ","))

        let flag = Flag()
        let outcome = try await withThrowingTaskGroup(of: Resealing.Outcome?.self) { group in
            for worker in 0..<4 {
                let server = worker.isMultiple(of: 2) ? system : first
                group.addTask {
                    var tokens = try await server.domain.signIn.native(server.device()).tokens
                    repeat {
                        tokens = try await server.domain.sessions.refresh(tokens.refreshToken)
                        _ = try await system.domain.sessions.authenticate(accessToken: tokens.accessToken)
                        _ = try await first.domain.sessions.authenticate(accessToken: tokens.accessToken)
                        _ = try await server.domain.signIn.native(server.device())
                    } while !flag.isSet.withLock { $0 }
                    return nil
                }
            }
            group.addTask {
                defer { flag.isSet.withLock { $0 = true } }
                let rotation = KeyRotation(
                    store: system.store, keyRing: ring, environment: system.clock.appleIDEnvironment)
                for _ in 0..<3 {
                    _ = try await rotation.rotate(atOnce: true)
                    _ = try await Resealing(store: system.store, keyRing: ring).run()
                    system.clock.advance(by: .seconds(35))
                    for server in [system, first] { try await server.domain.serverKeys.refreshIfDue() }
                }
                return try await Resealing(store: system.store, keyRing: ring).run()
            }
            var outcome: Resealing.Outcome?
            for try await result in group { outcome = result ?? outcome }
            return try #require(outcome)
        }
        #expect(outcome.unopened == 0)

        // The servers with the old ring first have stopped: now nothing needs the old key.
        let last = try await Resealing(store: system.store, keyRing: ring).run()
        #expect(last.others == 0 && last.unopened == 0 && last.keysInUse.isEmpty)
        let alone = try await TestSystem(store: system.store, sharing: system, ring: Self.new)
        _ = try await alone.domain.signIn.native(alone.device())
        let check = try await Resealing(store: system.store, keyRing: KeyRing(parsing: Self.new)).run()
        #expect(check.resealed == 0 && check.others == 0 && check.unopened == 0)
    }

    @Test("says what does not open, and goes through the rest", arguments: Engine.allCases)
    func unopened(on engine: Engine) async throws {
        let system = try await TestSystem(engine, ring: Self.old)
        _ = try await system.domain.signIn.native(system.device())
        let outcome = try await Resealing(store: system.store, keyRing: KeyRing(parsing: Self.new)).run()
        #expect(outcome.resealed == 0 && outcome.unopened > 3 && outcome.keysInUse == ["test"])
    }

    @Test("tells how far it is", arguments: Engine.allCases)
    func progress(on engine: Engine) async throws {
        let system = try await TestSystem(engine, ring: Self.old)
        for _ in 0..<3 { _ = try await system.domain.signIn.native(system.device()) }
        var told: [Resealing.Progress] = []
        _ = try await Resealing(store: system.store, keyRing: KeyRing(parsing: Self.old)).run { told.append($0) }
        #expect(told.last.map { $0.done == $0.total && $0.total >= 4 } == true)
        #expect(told.map(\.done) == told.map(\.done).sorted())
    }
}
