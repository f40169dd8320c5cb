public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

@available(siwaServer 1.0, *)
extension Emulator {
    /// Ends a person's consent to an app, as "Stop using Apple ID" does in the person's settings.
    ///
    /// Tokens and codes of the app's group die, and the app gets the notification `consent-revoked`. The next sign-in is a first
    /// one again.
    /// - Parameter client: any client of the app's group.
    /// - Throws: ``ControlRefused``, for example if the person doesn't use the app.
    public func stopUsing(_ client: ClientID, person: String = "johnny") async throws {
        try await control(
            .post, "/emulator/grants/stop-using",
            ["person": Member(text: person), "clientID": Member(text: client.rawValue)])
    }

    /// Turns the forwarding of mail to a person's relay address on or off.
    ///
    /// The apps that have the address get the notification `email-enabled` or `email-disabled`.
    /// - Parameter client: any client of the app's group.
    /// - Throws: ``ControlRefused``, for example if the person doesn't hide the address from the app.
    public func setForwarding(_ forwards: Bool, for client: ClientID, person: String = "johnny") async throws {
        try await control(
            .post, "/emulator/grants/forwarding",
            [
                "person": Member(text: person), "clientID": Member(text: client.rawValue),
                "forwarding": Member(flag: forwards),
            ])
    }

    /// Changes the password of a person's Apple Account. The refresh tokens of all apps die, and no app is told.
    /// - Throws: ``ControlRefused`` for an unknown person.
    public func changePassword(person: String = "johnny") async throws {
        try await control(.post, "/emulator/people/change-password", ["person": Member(text: person)])
    }

    /// Deletes a person's Apple Account. All grants and tokens end, and each app gets the notification `account-delete`.
    /// - Throws: ``ControlRefused`` for an unknown person.
    public func deleteAppleAccount(person: String = "johnny") async throws {
        try await control(.post, "/emulator/people/delete", ["person": Member(text: person)])
    }

    /// Returns which people use which apps, one entry for each person and group of apps.
    public func grants() async throws -> [TestGrant] {
        try await controlled(.get, "/emulator/grants", as: [String: [TestGrant]].self)["grants"] ?? []
    }

    /// Transfers an app to another team: the sender's offer and the recipient's acceptance in one.
    ///
    /// The app gets a new key, which `Emulator.portal` shows.
    /// - Parameter app: a primary App ID without others grouped with it.
    /// - Throws: ``ControlRefused``.
    @discardableResult
    public func transfer(_ app: ClientID, to team: TeamID) async throws -> TestTransfer {
        try await controlled(
            .post, "/emulator/transfers", ["clientID": Member(text: app.rawValue), "team": Member(text: team.rawValue)])
    }

    /// Returns the apps that went to another team.
    public func transfers() async throws -> [TestTransfer] {
        try await controlled(.get, "/emulator/transfers", as: [String: [TestTransfer]].self)["transfers"] ?? []
    }

    /// Forgets what people did, so that the next sign-in is a first one. Portal, keys, behavior and clock stay.
    public func reset() async throws {
        try await control(.post, "/emulator/reset", [:])
    }
}

/// A person's use of a group of apps, as the emulator lists it.
public struct TestGrant: Hashable, Sendable, Decodable {
    /// The name that the person gave the app.
    public struct Name: Hashable, Sendable, Decodable {
        /// The given name.
        public let firstName: String?
        /// The family name.
        public let lastName: String?
    }

    /// The person's identifier in the portal.
    public let person: String
    /// The primary App ID.
    public let app: ClientID
    /// The team that has the app.
    public let team: TeamID
    /// The person's identifier for the team, `sub` in tokens.
    public let subject: Subject
    /// The data that the person handed over.
    public let scopes: [Scope]
    /// The name; nil if the app didn't ask for it.
    public let name: Name?
    /// The person's own or relay address; nil if the app didn't ask for it.
    public let email: String?
    /// Whether the app has a relay address.
    public let hideEmail: Bool
    /// Whether mail to the relay address is forwarded; nil without one.
    public let forwarding: Bool?
    private let createdAt: Int64

    /// The time of the first authorization, by the emulator's clock.
    public var created: Date { Date(timeIntervalSince1970: TimeInterval(createdAt)) }
}

/// An app that went from one team to another, as the emulator lists it.
public struct TestTransfer: Hashable, Sendable, Decodable {
    /// The primary App ID.
    public let app: ClientID
    /// The team that gave the app away.
    public let from: TeamID
    /// The team that received the app.
    public let to: TeamID
    private let acceptedAt: Int64
    private let openUntil: Int64

    /// The time of the transfer, by the emulator's clock.
    public var accepted: Date { Date(timeIntervalSince1970: TimeInterval(acceptedAt)) }
    /// The end of the sixty days in which both teams can ask for people's subjects.
    public var end: Date { Date(timeIntervalSince1970: TimeInterval(openUntil)) }
}
