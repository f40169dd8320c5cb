import AccountSQLite
import AccountService
import AppleID
import AppleIDTypes
import AsyncHTTPTransport
import Foundation
import Hummingbird
import Logging

/// Runs the server. Its settings are in the environment: PUBLIC_URL, KEY_RING (a name, a colon and 32 bytes in base64),
/// DATABASE, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY_FILE, BUNDLE_ID.
@main
enum Main {
    static func main() async throws {
        guard #available(macOS 15, *) else { return }
        let logger = Logger(label: "notes")
        let app = ClientID(setting("BUNDLE_ID"))
        let key = try AppleClientKey(
            id: KeyID(setting("APPLE_KEY_ID")), team: TeamID(setting("APPLE_TEAM_ID")),
            pem: String(contentsOfFile: setting("APPLE_PRIVATE_KEY_FILE"), encoding: .utf8))
        let transport = AsyncHTTPTransport()
        let server = try await NotesServer.open(
            configuration: AccountConfiguration(
                publicURL: try PublicURL(setting("PUBLIC_URL")),
                keyRing: try KeyRing(parsing: setting("KEY_RING")),
                webClient: nil, nativeClients: [app]),
            apple: AppleIDClient(
                clients: [ClientRegistration(id: app, kind: .app, key: key)], transport: transport, logger: logger),
            storage: .sqlite(setting("DATABASE")), notes: Notes(), logger: logger)
        try await server.application(port: 8080, after: [transport], logger: logger).runService()
    }

    /// The value of a variable. Without it the program ends, and says which one to set.
    private static func setting(_ name: String) -> String {
        guard let value = ProcessInfo.processInfo.environment[name] else {
            FileHandle.standardError.write(Data("set \(name)\n".utf8))
            exit(2)
        }
        return value
    }
}
