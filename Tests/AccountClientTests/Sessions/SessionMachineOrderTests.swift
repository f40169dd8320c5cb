import Testing

@testable import AccountClient

@Suite("The machine of a session, in any order of events", .timeLimit(.minutes(5)))
struct SessionMachineOrderTests {
    /// Numbers that are the same for the same seed (SplitMix64).
    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }

    /// The moves that matter most, so that they come close to each other.
    private static let favorites: [MachineWorld.Move] = [
        .request(.accessToken), .timePasses, .beginAuthorization, .request(.signIn), .request(.signOut),
    ]

    /// Answers come as often as everything else together: otherwise most would never come.
    private func run(seed: UInt64, isAlone: Bool) -> (violations: [String], moves: [MachineWorld.Move]) {
        var generator = SeededGenerator(state: seed)
        var world = MachineWorld(isAlone: isAlone)
        var moves: [MachineWorld.Move] = []
        for _ in 0..<80 {
            let choices =
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: world.moves
                case 1: Self.favorites
                default: world.isQuiet ? world.moves : world.underWay
                }
            guard let move = choices.randomElement(using: &generator) else { break }
            moves.append(move)
            world.make(move)
            if !world.violations.isEmpty { return (world.violations, moves) }
        }
        world.comeToRest()
        world.make(.request(.accessToken))
        world.comeToRest()
        return (world.violations, moves)
    }

    @Test(
        "hands out no token of an ended session, refreshes once at a time, and keeps storage up to date",
        arguments: [true, false])
    func generated(isAlone: Bool) {
        for seed in 0..<3_000 {
            let (violations, moves) = run(seed: UInt64(seed), isAlone: isAlone)
            #expect(violations.isEmpty, "\(violations), seed \(seed): \(moves)")
            if !violations.isEmpty { return }
        }
    }

    /// Every order of so many moves, from a world where somebody is signed in and the access token is old.
    @Test("keeps these rules in every order of a few events")
    func exhaustive() {
        var world = MachineWorld()
        for move in [
            MachineWorld.Move.request(.prepareSignIn), .storageAnswers, .beginAuthorization, .request(.signIn),
            .storageAnswers, .timePasses,
        ] {
            world.make(move)
        }
        #expect(world.machine.record?.session != nil && world.isQuiet && world.violations.isEmpty)
        var count = 0
        let violation = firstViolation(from: world, depth: 5, path: [], &count)
        #expect(violation == nil)
        #expect(count > 5_000)
    }

    private static let choices: [MachineWorld.Move] = [
        .request(.accessToken), .request(.signOut), .request(.signIn), .request(.rereadIfSignedOut),
        .request(.sessionRefused), .serviceEndsSession,
    ]

    private func firstViolation(
        from world: MachineWorld, depth: Int, path: [MachineWorld.Move], _ count: inout Int
    ) -> String? {
        var rested = world
        rested.comeToRest()
        rested.make(.request(.accessToken))
        rested.comeToRest()
        count += 1
        if !rested.violations.isEmpty { return "\(rested.violations) after \(path)" }
        guard depth > 0 else { return nil }
        let answers = world.underWay.filter { move in
            if case .endIsExplained(let explanation) = move { explanation == .revoked } else { true }
        }
        for move in answers + Self.choices {
            var next = world
            next.make(move)
            if let violation = firstViolation(from: next, depth: depth - 1, path: path + [move], &count) {
                return violation
            }
        }
        return nil
    }
}
