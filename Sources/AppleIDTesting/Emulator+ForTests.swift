public import AppleIDEmulator
import CryptoExtras
public import Logging

@available(siwaServer 1.0, *)
extension Emulator {
    /// Creates an emulator with a test's clock, ready at once.
    ///
    /// All emulators of a process sign with one RSA key, since making a key takes longer than most tests.
    /// - Parameters:
    ///   - portal: nil for the seeded one.
    ///   - deliver: takes the notifications that ``AppleIDEmulator/Emulator/deliverNotifications()`` sends, and says
    ///     with which status they are answered; nil for the network.
    public static func forTests(
        clock: TestClock = TestClock(), configuration: EmulatorConfiguration = .init(), portal: Portal? = nil,
        deliver: (@Sendable (NotificationRequest) async throws -> Int)? = nil,
        logger: Logger = Logger(label: "emulator", factory: { _ in SwiftLogNoOpLogHandler() })
    ) async throws -> Emulator {
        var configuration = configuration
        configuration.signingKey = try sharedSigningKey.get()
        var environment = clock.emulatorEnvironment
        environment.deliver = deliver
        return try await Emulator(
            configuration: configuration, portal: portal, environment: environment, logger: logger)
    }

    private static let sharedSigningKey = Result {
        try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
    }
}
