import AccountAPI
import AccountService
import AppleIDTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@Suite("A revocation that Apple fails for a week", .timeLimit(.minutes(2)))
struct ParkedRevocationTests {
    private static let rest: Duration = .seconds(6 * 3_600)

    @Test(
        "is parked after seven days, is kept and shown, and reaches Apple when the operator has it tried again",
        arguments: Engine.allCases)
    func parked(on engine: Engine) async throws {
        try await ServedSystem.run(on: engine) { served in
            let system = served.system
            let session = try await served.signIn().session
            try await system.order("/emulator/faults", AppleTrouble.fails.order(at: "revoke"))
            let answer = try await served.ask(.delete, "/v1/account", token: session.accessToken)
            try #require(answer.status == .accepted)
            let path = "/v1/deletions/" + (try answer.decode(AccountDeletionAnswer.self).handle)
            func deletion() async throws -> DeletionBody {
                try await served.ask(.get, path).decode(DeletionAnswer.self).deletion
            }
            func oneWeek() async throws {
                for _ in 0..<28 {
                    try await system.domain.outbox.drain()
                    #expect(try await deletion().status == .waiting)
                    system.clock.advance(by: Self.rest)
                }
                try await system.domain.outbox.drain()
            }

            try await oneWeek()
            let parked = try await deletion()
            #expect(parked.status == .parked && parked.finishedAt == nil && parked.manualRemoval == nil)
            let entries = try await system.store.parkedInOutbox(limit: 10)
            #expect(entries.map(\.failure) == ["apple_unavailable"])
            #expect(entries.allSatisfy { $0.kind == .revocation && $0.sealed != nil && $0.attempts >= 28 })

            // Apple is well again, and nobody has said so.
            try await system.order("/emulator/faults/clear")
            let count = system.apple.count(of: "/auth/revoke")
            for _ in 0..<30 {
                system.clock.advance(by: .seconds(86_400))
                try await system.domain.outbox.drain()
            }
            #expect(system.apple.count(of: "/auth/revoke") == count)
            #expect(try await deletion().status == .parked)

            // It has another week then.
            try await system.order("/emulator/faults", AppleTrouble.fails.order(at: "revoke"))
            func retry() async throws -> Int {
                try await system.store.retryParked(at: Timestamp(system.clock.now), by: .operator)
            }
            #expect(try await retry() == 1)
            try await oneWeek()
            #expect(try await deletion().status == .parked)
            #expect(try await system.isFirstAtApple() == false)

            try await system.order("/emulator/faults/clear")
            #expect(try await retry() == 1)
            try await system.domain.outbox.drain()
            let done = try await deletion()
            #expect(done.status == .done && done.finishedAt != nil)
            #expect(try await system.store.parkedInOutbox(limit: 10).isEmpty)
            #expect(try await system.isFirstAtApple())
        }
    }
}
