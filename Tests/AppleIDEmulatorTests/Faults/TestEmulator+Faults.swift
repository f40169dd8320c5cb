import CryptoExtras
import Logging
import TaskSignals
import Testing

@testable import AppleIDEmulator

extension TestEmulator {
    /// How long a test's emulator would have waited.
    final class Pauses: Sendable {
        private let durations = Lock<[Duration]>([])

        var all: [Duration] { durations.withLock { $0 } }

        func add(_ duration: Duration) { durations.withLock { $0.append(duration) } }
    }

    /// Waits for nothing, and tells how long it would have.
    init(pauses: Pauses) async throws {
        var configuration = EmulatorConfiguration()
        configuration.signingKey = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
        let clock = Clock()
        var environment = EmulatorEnvironment(
            now: { clock.now }, randomBytes: EmulatorEnvironment.live.randomBytes)
        environment.sleep = { pauses.add($0) }
        self.clock = clock
        emulator = try await Emulator(
            configuration: configuration, portal: TestPortal.portal, environment: environment,
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    }

    /// Orders a fault, and answers its id.
    @discardableResult
    func fault(_ name: String, _ members: [String: any Sendable] = [:]) async throws -> String {
        let answer = try await call("/emulator/faults", ["fault": name].merging(members) { $1 })
        #expect(answer.status == 200, "\(answer.text)")
        return try #require(try answer.json["id"] as? String)
    }
}
