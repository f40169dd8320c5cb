public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

/// Changes of the portal while the emulator runs. `Emulator.portal` shows the portal as it is.
@available(siwaServer 1.0, *)
extension Emulator {
    /// Adds a team, or changes its name and its email sources. Its apps have calls of their own.
    /// - Throws: ``ControlRefused`` for a team that the portal's rules refuse.
    public func put(_ team: Portal.Team) async throws {
        try await control(
            .post, "/emulator/portal/teams",
            [
                "id": Member(text: team.id.rawValue), "name": Member(text: team.name),
                "individual": Member(flag: team.individual),
                "emailSources": team.emailSources.map { Member(value: $0) },
            ])
    }

    /// Removes a team with its apps.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func remove(team: TeamID) async throws {
        try await control(.post, "/emulator/portal/teams/remove", ["id": Member(text: team.rawValue)])
    }

    /// Adds an App ID, or changes its name, its group and its notification URL. Its services and keys have calls of their own.
    /// - Throws: ``ControlRefused`` for an app that the portal's rules refuse.
    public func put(_ app: Portal.App, in team: TeamID) async throws {
        try await control(
            .post, "/emulator/portal/apps",
            [
                "team": Member(text: team.rawValue), "id": Member(text: app.id.rawValue),
                "name": Member(text: app.name),
                "primary": Member(text: app.primary?.rawValue),
                "notificationURL": Member(text: app.notificationURL),
            ])
    }

    /// Removes an App ID with its services and keys.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func remove(app: ClientID) async throws {
        try await control(.post, "/emulator/portal/apps/remove", ["id": Member(text: app.rawValue)])
    }

    /// Adds or replaces a Services ID.
    /// - Throws: ``ControlRefused`` for a service that the portal's rules refuse.
    public func put(_ service: Portal.Service, in app: ClientID) async throws {
        try await control(
            .post, "/emulator/portal/services",
            [
                "app": Member(text: app.rawValue), "id": Member(text: service.id.rawValue),
                "domains": Member(texts: service.domains),
                "returnURLs": Member(texts: service.returnURLs),
                "verifiedDomains": Member(texts: service.verifiedDomains),
            ])
    }

    /// Removes a Services ID.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func remove(service: ClientID) async throws {
        try await control(.post, "/emulator/portal/services/remove", ["id": Member(text: service.rawValue)])
    }

    /// Does the verify step of a Services ID's domain, which looks for the association file on a web server.
    /// - Parameter webServer: the address of the server that stands for the domain, such as `http://127.0.0.1:4000`.
    /// - Throws: ``ControlRefused`` for an unknown service or domain.
    public func verify(domain: String, of service: ClientID, at webServer: String) async throws -> TestWebDomain {
        try await controlled(
            .post, "/emulator/portal/services/verify",
            [
                "id": Member(text: service.rawValue), "domain": Member(text: domain),
                "webServer": Member(text: webServer),
            ])
    }

    /// Makes a key for an app's group, or replaces the one with its identifier.
    /// - Returns: the key with its private half.
    /// - Throws: ``ControlRefused`` for an unknown app, or one that has too many keys.
    @discardableResult
    public func makeKey(for app: ClientID, id: KeyID? = nil) async throws -> Portal.Key {
        try await controlled(
            .post, "/emulator/portal/keys", ["app": Member(text: app.rawValue), "id": Member(text: id?.rawValue)])
    }

    /// Adds or replaces a key that you have.
    /// - Throws: ``ControlRefused`` for an unknown app, or a key that can't be read.
    public func put(_ key: Portal.Key, for app: ClientID) async throws {
        try await control(
            .post, "/emulator/portal/keys",
            [
                "app": Member(text: app.rawValue), "id": Member(text: key.id.rawValue),
                "privateKey": Member(text: key.privateKey),
            ])
    }

    /// Removes a key. Client secrets that it signs are refused from now on.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func remove(key: KeyID) async throws {
        try await control(.post, "/emulator/portal/keys/remove", ["id": Member(text: key.rawValue)])
    }

    /// Adds or replaces a person.
    /// - Throws: ``ControlRefused`` for a person that the portal's rules refuse.
    public func put(_ person: Portal.Person) async throws {
        try await control(
            .post, "/emulator/portal/people",
            [
                "id": Member(text: person.id), "email": Member(text: person.email), "name": Member(text: person.name),
                "otherEmails": Member(texts: person.otherEmails), "password": Member(text: person.password),
                "twoFactor": Member(flag: person.twoFactor),
                "organizationID": Member(text: person.organizationID),
                "emailVerified": Member(flag: person.emailVerified), "child": Member(flag: person.child),
                "relayDomain": Member(text: person.relayDomain?.rawValue),
            ])
    }

    /// Removes a person from the portal. Somebody who is put back later under the same identifier is the same person.
    /// - Throws: ``ControlRefused`` for an unknown one.
    public func remove(person: String) async throws {
        try await control(.post, "/emulator/portal/people/remove", ["id": Member(text: person)])
    }
}

/// A domain of a Services ID after its verify step.
public struct TestWebDomain: Hashable, Sendable, Decodable {
    /// The domain that was checked.
    public let domain: String
    /// Whether the association file was found.
    public let verified: Bool
    /// The file that Apple wants to find there.
    public let associationFile: TestEmailSource.AssociationFile
}
