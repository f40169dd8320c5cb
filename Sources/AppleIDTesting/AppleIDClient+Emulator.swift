public import AppleID
public import AppleIDEmulator
public import AppleIDTypes
public import Logging

@available(siwaServer 1.0, *)
extension AppleIDClient {
    /// Creates a client with all that one team of an emulator's portal has: apps and services, each with its group's
    /// key.
    /// - Parameters:
    ///   - team: the team; nil for the portal's first.
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

@available(siwaServer 1.0, *)
extension Emulator {
    /// Returns the clients of a team, as a server would be configured with them. Groups without a key have none.
    /// - Throws: ``NoSuchTeam``.
    public func clients(of team: TeamID? = nil) throws -> [ClientRegistration] {
        guard let team = portal.teams.first(where: { team == nil || $0.id == team }) else {
            throw NoSuchTeam(team: team)
        }
        var clients: [ClientRegistration] = []
        for app in team.apps {
            let primary = team.apps.first { $0.id == app.primary } ?? app
            guard let key = primary.keys.first else { continue }
            let clientKey = try AppleClientKey(id: key.id, team: team.id, pem: key.privateKey)
            clients.append(ClientRegistration(id: app.id, kind: .app, key: clientKey))
            clients += app.services.map { ClientRegistration(id: $0.id, kind: .service, key: clientKey) }
        }
        return clients
    }
}

/// An error that says that the emulator's portal does not have the team that a test asked for.
public struct NoSuchTeam: Error, Equatable {
    /// The team that is missing; nil if the portal has no team at all.
    public let team: TeamID?
}
