import AppleID
import AppleIDTypes
import AsyncHTTPTransport
import Crypto
import Foundation
import GRDB
import Hummingbird
import Logging

/// Runs the server. Its settings are in the environment: APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY_FILE, BUNDLE_ID,
/// SEALING_KEY (32 bytes in base64) and DATABASE.
@main
enum Main {
    static func main() async throws {
        guard #available(macOS 15, *) else { return }
        let logger = Logger(label: "own-users")
        guard let sealing = Data(base64Encoded: setting("SEALING_KEY")), sealing.count == 32 else {
            missing("SEALING_KEY to 32 bytes in base64")
        }
        let client = ClientID(setting("BUNDLE_ID"))
        let key = try AppleClientKey(
            id: KeyID(setting("APPLE_KEY_ID")), team: TeamID(setting("APPLE_TEAM_ID")),
            pem: String(contentsOfFile: setting("APPLE_PRIVATE_KEY_FILE"), encoding: .utf8))
        let transport = AsyncHTTPTransport()
        let server = UserServer(
            apple: AppleIDClient(
                clients: [ClientRegistration(id: client, kind: .app, key: key)], transport: transport, logger: logger),
            client: client,
            users: try UserTable(DatabaseQueue(path: setting("DATABASE")), key: SymmetricKey(data: sealing)),
            now: { Date() }, logger: logger)
        let application = Application(
            router: server.router(), configuration: .init(address: .hostname("127.0.0.1", port: 8080)), logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.runService() }
            group.addTask {
                // The server repeats each revocation that did not reach Apple, once an hour.
                while true {
                    await server.revoke()
                    try await Task.sleep(for: .seconds(3_600))
                }
            }
            try await group.next()
            group.cancelAll()
        }
        try await transport.shutdown()
    }

    private static func setting(_ name: String) -> String {
        guard let value = ProcessInfo.processInfo.environment[name] else { missing(name) }
        return value
    }

    /// Ends the program, and tells how to start it.
    private static func missing(_ setting: String) -> Never {
        FileHandle.standardError.write(Data("set \(setting)\n".utf8))
        exit(2)
    }
}
