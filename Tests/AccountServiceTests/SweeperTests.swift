import AccountSQLite
import AppleID
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The sweeper's walks")
struct SweeperTests {
    @Test("run again when their findings may be over, and continue where a round failed")
    func rounds() async throws {
        let system = try await SessionSystem()
        var walks = KeyOrderSweep.allCases.map { Sweeper.Walk(table: $0) }
        let begun = Timestamp(system.clock.environment.now())
        await system.domain.sweeper.sweep(&walks)
        #expect(walks.map(\.due) == [begun + .minutes(11), begun + .days(1), begun + .days(1)])

        system.clock.advance(.minutes(11))
        await system.domain.sweeper.sweep(&walks)
        #expect(walks.map(\.due) == [begun + .minutes(22), begun + .days(1), begun + .days(1)])

        let before = walks.map(\.due)
        system.clock.advance(.days(1))
        try await #require(system.database as? SQLiteDatabase).close()
        await system.domain.sweeper.sweep(&walks)
        #expect(walks.map(\.due) == before)
    }

    @Test("go on after the clock was set back")
    func clockSetBack() async throws {
        let system = try await SessionSystem()
        var walks = KeyOrderSweep.allCases.map { Sweeper.Walk(table: $0) }
        system.clock.advance(.days(365))
        await system.domain.sweeper.sweep(&walks)
        system.clock.advance(.days(-365))
        let begun = Timestamp(system.clock.environment.now())
        await system.domain.sweeper.sweep(&walks)
        #expect(walks.map(\.due) == [begun + .minutes(11), begun + .days(1), begun + .days(1)])
    }
}
