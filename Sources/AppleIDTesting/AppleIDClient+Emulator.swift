public import AppleID
public import AppleIDEmulator
public import AppleIDTypes
public import Logging

extension AppleIDClient {
    /// A client for everything that one team of an emulator's portal has: apps and services, each with its group's key.
    ///
    /// - Parameters:
    ///   - team: nil for the first one.
    ///   - transport: an ``EmulatorTransport``, or a real one for an emulator behind a socket.
    /// - Throws: ``AppleIDError``, or ``NoSuchTeam``.
    public init(
        emulator: Emulator, team: TeamID? = nil, transport: any AppleTransport,
        keySetArchive: KeySetArchive? = nil, clock: TestClock,
        logger: Logger = Logger(label: "apple", factory: { _ in SwiftLogNoOpLogHandler() })
    ) throws {
        self.init(
            server: try .emulator(at: emulator.portal.baseURL), clients: try emulator.clients(of: team),
            transport: transport, keySetArchive: keySetArchive, environment: clock.appleIDEnvironment, logger: logger)
    }
}

extension Emulator {
    /// The clients of a team, as a server would be configured with them. Groups without a key have none.
    public func clients(of team: TeamID? = nil) throws -> [AppleClient] {
        guard let team = portal.teams.first(where: { team == nil || $0.id == team }) else {
            throw NoSuchTeam(team: team)
        }
        var clients: [AppleClient] = []
        for app in team.apps {
            let primary = team.apps.first { $0.id == app.primary } ?? app
            guard let key = primary.keys.first else { continue }
            let clientKey = try AppleClientKey(id: key.id, team: team.id, pem: key.privateKey)
            clients.append(AppleClient(id: app.id, kind: .app, key: clientKey))
            clients += app.services.map { AppleClient(id: $0.id, kind: .service, key: clientKey) }
        }
        return clients
    }
}
