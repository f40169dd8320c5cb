import AppleIDTransport
public import AppleIDTypes
import StrictJSON

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The transfer of an app to another team. A subject identifies a person within one team only, so both teams ask Apple
/// about each person, until sixty days after the recipient accepted (Apple's "Transferring your apps and users to
/// another team" and "Bringing new apps and users into your team").
extension AppleIDClient {
    /// Gets a migration token, by which the calls of a transfer identify the team. Apple sets no limit on how often.
    /// - Throws: ``AppleIDError/Code/clientRejected``, ``AppleIDError/Code/unknownClient`` and
    ///   ``AppleIDError/Code/invalidPrivateKey`` if the configuration is wrong;
    ///   ``AppleIDError/Code/appleUnavailable`` and ``AppleIDError/Code/malformedAnswer`` if Apple gave no real
    ///   answer.
    public func migrationToken(client: ClientID) async throws(AppleIDError) -> MigrationToken {
        try await instrumentation.call(.migrationToken) { () async throws(AppleIDError) -> MigrationToken in
            let registered = try self.client(client)
            let askedAt = environment.now()
            let form = [
                ("client_id", registered.id.rawValue), ("client_secret", try secret(for: registered).rawValue),
                ("grant_type", GrantType.clientCredentials.rawValue), ("scope", Scope.userMigration.rawValue),
            ]
            let answer = try TokenAnswer(
                try await send(.post(server.tokenURL, form: form), for: .migrationToken), to: .migrationToken)
            let (accessToken, expiresIn) = try answer.requireReadable()
            return MigrationToken(
                client: registered.id, accessToken: accessToken,
                expiresAt: askedAt.addingTimeInterval(Double(expiresIn.components.seconds)))
        }
    }

    /// Returns the token while it is good for another minute, and gets a new one after that.
    ///
    /// It is for the loop over all people, which may take longer than a token lives.
    /// - Throws: what ``migrationToken(client:)`` throws.
    public func migrationToken(renewing token: MigrationToken) async throws(AppleIDError) -> MigrationToken {
        guard environment.now().addingTimeInterval(60) >= token.expiresAt else { return token }
        return try await migrationToken(client: token.client)
    }

    /// Gets a person's transfer subject, on the side of the team that sends the app.
    ///
    /// It leads the recipient to the person, and is all that you hand over about who they are. It is the same for every
    /// app sent to that team, and good before the recipient has accepted.
    /// - Parameters:
    ///   - subject: the person's subject at the sending team.
    ///   - team: the team that receives the app.
    /// - Throws: ``AppleIDError/Code/transferRejected`` about this one person: record it, and go on with the next;
    ///   ``AppleIDError/Code/invalidTransfer`` without asking Apple, if the target is the client's own team, for which
    ///   Apple answers identifiers that lead nowhere; ``AppleIDError/Code/migrationTokenExpired``, also without asking;
    ///   and what ``migrationToken(client:)`` throws.
    public func transferSubject(
        of subject: Subject, to team: TeamID, using token: MigrationToken
    ) async throws(AppleIDError) -> Subject {
        let root = try await migrate(using: token) { (client) throws(AppleIDError) in
            guard !subject.rawValue.isEmpty, !team.rawValue.isEmpty, team != client.team else {
                throw AppleIDError(.invalidTransfer, "a transfer needs a person, and another team as its target")
            }
            return [("sub", subject.rawValue), ("target", team.rawValue)]
        }
        return try Self.subject(root["transfer_sub"])
    }

    /// Gets the person behind a transfer subject, on the side of the team that receives the app.
    ///
    /// For sixty days identity tokens carry the transfer subject too
    /// (``/AppleIDTypes/IdentityTokenClaims/transferSubject``), so you can also find people when they sign in: by
    /// subject first, then by transfer subject.
    /// - Throws: ``AppleIDError/Code/transferRejected`` about this one person: record it, and go on with the next;
    ///   ``AppleIDError/Code/invalidTransfer`` for an empty subject and ``AppleIDError/Code/migrationTokenExpired``,
    ///   both without asking Apple; and what ``migrationToken(client:)`` throws.
    public func person(
        ofTransferSubject transferSubject: Subject, using token: MigrationToken
    ) async throws(AppleIDError) -> TransferredPerson {
        let root = try await migrate(using: token) { (_) throws(AppleIDError) in
            guard !transferSubject.rawValue.isEmpty else {
                throw AppleIDError(.invalidTransfer, "the transfer subject is empty")
            }
            return [("transfer_sub", transferSubject.rawValue)]
        }
        return TransferredPerson(
            subject: try Self.subject(root["sub"]),
            email: root["email"]?.string.flatMap { $0.isEmpty ? nil : $0 },
            isPrivateEmail: (root["is_private_email"]?.scalar).flatMap(TokenClaims.bool) == true)
    }

    private func migrate(
        using token: MigrationToken, _ fields: (ClientRegistration) throws(AppleIDError) -> [(String, String)]
    ) async throws(AppleIDError) -> JSONValue {
        try await instrumentation.call(.migration) { () async throws(AppleIDError) -> JSONValue in
            let registered = try self.client(token.client)
            // Apple calls an expired token invalid_request, which would read as this one person's refusal.
            guard environment.now() < token.expiresAt else {
                throw AppleIDError(.migrationTokenExpired, "the migration token has expired")
            }
            let form =
                try fields(registered) + [
                    ("client_id", registered.id.rawValue), ("client_secret", try secret(for: registered).rawValue),
                ]
            let request = AppleRequest.post(server.migrationURL, form: form, bearer: token.accessToken.rawValue)
            let response = try await send(request, for: .migration)
            guard response.status == 200 else { throw TokenRefusal.error(for: response, to: .migration) }
            do {
                return try JSONDocument(response.body).root
            } catch {
                throw AppleIDError(.malformedAnswer, "Apple's answer is not strict JSON: \(error)", cause: error)
            }
        }
    }

    private static func subject(_ member: JSONValue?) throws(AppleIDError) -> Subject {
        guard let text = member?.string, (1...SubjectRule.maximumBytes).contains(text.utf8.count) else {
            throw AppleIDError(.malformedAnswer, "Apple's answer names no subject")
        }
        return Subject(text)
    }
}

/// A token by which a team asks about a transfer, for one client and about an hour. One token serves for all people.
///
/// Printing or mirroring it does not show the token.
public struct MigrationToken: Hashable, Sendable, Redacted {
    /// The app that is transferred.
    public let client: ClientID
    /// The token that Apple gave for the client secret; a secret too.
    public let accessToken: AccessToken
    /// The time from which the library refuses the token. ``AppleIDClient/migrationToken(renewing:)`` gets another
    /// before.
    public let expiresAt: Date

    /// Creates a token from values that were kept. ``AppleIDClient/migrationToken(client:)`` gets a new one.
    public init(client: ClientID, accessToken: AccessToken, expiresAt: Date) {
        self.client = client
        self.accessToken = accessToken
        self.expiresAt = expiresAt
    }
}

/// A person at the team that received an app. Printing or mirroring the value shows neither subject nor address.
public struct TransferredPerson: Hashable, Sendable, Redacted {
    /// The person's subject from now on. Their identity tokens carry it too.
    public let subject: Subject
    /// The person's new relay address. If they had none with the app it is absent, and their address stays as it was.
    public let email: String?
    /// Whether ``email`` is a relay address; false unless Apple says so.
    public let isPrivateEmail: Bool
}
