import Foundation

@testable import AccountService

extension PasswordCost {
    /// 2 KiB and some microseconds.
    static let lowForTests = PasswordCost(roundsExponent: 4, blockSize: 1, parallelism: 1)
}

extension PasswordHasher {
    static func forTests(
        hashers: Int = 1, cores: Int = 2, cost: PasswordCost = .lowForTests, makesWay: Bool = false,
        willHash: (@Sendable (Password) -> Void)? = nil
    ) -> PasswordHasher {
        var settings = PasswordSettings(hashers: hashers, cost: cost)
        settings.makesWay = makesWay
        settings.willHash = willHash
        return PasswordHasher(
            settings,
            randomBytes: { count in (0..<count).map { _ in UInt8.random(in: .min ... .max) } }, cores: cores)
    }
}

/// Holds threads until it is opened, and then lets each pass.
final class ThreadGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func pass() {
        semaphore.wait()
        semaphore.signal()
    }

    func open() {
        semaphore.signal()
    }
}

/// Returns when the condition holds. The suite's time limit ends a condition that never does.
func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}
