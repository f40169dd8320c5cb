import AccountEngines
import AppleIDTesting
import AppleIDTypes
import Testing

@testable import AccountService

@Suite("The time of a password's check")
struct PasswordTimingTests {
    /// Pairs of checks, one with a hash and one for nobody, turn about. If both take alike, each of a pair takes
    /// longer as often as the other, however the times are spread: the machine's noise meets both. Of a thousand
    /// pairs 400 to 600 are six standard deviations to each side. A check without a hash, or with half of its cost,
    /// is longer in almost none.
    @Test("A check against a hash takes as long as one without a hash, over a thousand each")
    func alike() async throws {
        let hasher = PasswordHasher.forTests(cost: PasswordCost(roundsExponent: 6, blockSize: 8, parallelism: 1))
        let hash = try await hasher.hash(Password("correct horse battery"))
        let wrong = Password("another horse battery")
        let clock = ContinuousClock()
        let before = hasher.computed
        var knownIsLonger = 0
        for number in 0..<1_000 {
            var times: [Duration] = []
            for turn in 0..<2 {
                // Which is first changes from pair to pair.
                let expected = (number + turn).isMultiple(of: 2) ? hash : nil
                let start = clock.now
                let isSame = try await hasher.verify(wrong, expected)
                times.append(clock.now - start)
                #expect(!isSame)
            }
            let (known, nobodys) = number.isMultiple(of: 2) ? (times[0], times[1]) : (times[1], times[0])
            if known > nobodys { knownIsLonger += 1 }
        }
        #expect((400...600).contains(knownIsLonger))
        #expect(hasher.computed - before == 2_000)
    }
}

@Suite("The time of a sign-in", .eachEngine)
struct SignInTimingTests {
    /// Four hundred pairs of sign-ins, turn about. In the median neither takes longer than the other by a fifth of this
    /// hash, which costs the 192nd part of the real one: so for each of the two, fewer than 260 of the pairs take longer by
    /// that. If the medians are that near, more than 259 of four hundred are six standard deviations away from half of them:
    /// the test then fails once in a thousand million times. The fifth is for what only an address with an account needs,
    /// which the real hash outweighs: its seal is opened.
    ///
    /// The clock goes on by more than a count of wrong passwords stays, so that each try is an address's first.
    @Test("A wrong password takes as long for an address with an account as for one without")
    func alike() async throws {
        let system = try await PasswordSystem(cost: PasswordCost(roundsExponent: 9, blockSize: 8, parallelism: 1))
        _ = try await system.makeAccount()
        let clock = ContinuousClock()
        let before = system.passwords.hasher.work
        var hashing: [Duration] = []
        for _ in 0..<20 {
            let start = clock.now
            _ = try await system.passwords.hasher.hash(PasswordSystem.password)
            hashing.append(clock.now - start)
        }
        let fifth = hashing.sorted()[10] / 5
        var (knownIsLonger, unknownIsLonger) = (0, 0)
        for number in 0..<400 {
            var (known, unknown) = (Duration.zero, Duration.zero)
            for turn in 0..<2 {
                // Which is first changes from pair to pair.
                let isKnown = (number + turn).isMultiple(of: 2)
                let address = isKnown ? PasswordSystem.address : "nobody@example.com"
                let start = clock.now
                await expectError(.wrongCredentials) {
                    try await system.signIn(address, password: PasswordSystem.otherPassword)
                }
                if isKnown { known = clock.now - start } else { unknown = clock.now - start }
            }
            if known > unknown + fifth { knownIsLonger += 1 }
            if unknown > known + fifth { unknownIsLonger += 1 }
            system.clock.advance(by: .days(31))
        }
        #expect(knownIsLonger < 260 && unknownIsLonger < 260)
        #expect(system.passwords.hasher.work - before == 820 * system.passwords.cost.work)
    }
}
