import AccountSQLite
import AppleID
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The sweeper's walks")
struct SweeperTests {
    @Test("come again when what they found may be over, and go on where a round failed")
    func rounds() async throws {
        let house = try await SessionHouse()
        var walks = WalkedTable.allCases.map { Sweeper.Walk(table: $0) }
        let begun = Timestamp(house.clock.environment.now())
        await house.domain.sweeper.sweep(&walks)
        #expect(walks.map(\.due) == [begun + .minutes(11), begun + .days(1), begun + .days(1)])

        house.clock.advance(.minutes(11))
        await house.domain.sweeper.sweep(&walks)
        #expect(walks.map(\.due) == [begun + .minutes(22), begun + .days(1), begun + .days(1)])

        let before = walks.map(\.due)
        house.clock.advance(.days(1))
        try await #require(house.database as? SQLiteDatabase).close()
        await house.domain.sweeper.sweep(&walks)
        #expect(walks.map(\.due) == before)
    }
}
