public import AppleIDTypes
import StrictJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An app changes hands: a subject means something within one team only, so both teams ask Apple who is who, until
/// sixty days after the recipient accepted (Apple's "Transferring your apps and users to another team" and "Bringing
/// new apps and users into your team").
extension AppleIDClient {
    /// With what the calls below identify the team. Apple sets no limit on how often it is asked for.
    /// - Throws: ``AppleIDError/Code/clientRejected``, ``AppleIDError/Code/unknownClient`` and
    ///   ``AppleIDError/Code/invalidPrivateKey`` when our configuration is wrong;
    ///   ``AppleIDError/Code/appleUnavailable`` and ``AppleIDError/Code/malformedAnswer`` when Apple did not really
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

    /// The same token while it is good for another minute, and a new one after that: for the loop over all people,
    /// which may take longer than a token lives.
    /// - Throws: what ``migrationToken(client:)`` throws.
    public func migrationToken(renewing token: MigrationToken) async throws(AppleIDError) -> MigrationToken {
        guard environment.now().addingTimeInterval(60) >= token.expiresAt else { return token }
        return try await migrationToken(client: token.client)
    }

    /// The sender's side: what leads the recipient to a person, the one thing to hand over about who they are. It is
    /// the same for every app sent to that team, and good before the recipient has accepted.
    /// - Parameters:
    ///   - subject: who the person is at the sending team.
    ///   - team: the recipient.
    /// - Throws: ``AppleIDError/Code/transferRejected`` about this one person: note it, and go on with the next;
    ///   ``AppleIDError/Code/invalidTransfer`` without asking Apple, for the own team, which Apple would answer with
    ///   identifiers that lead nowhere; ``AppleIDError/Code/migrationTokenExpired``, also without asking; and what
    ///   ``migrationToken(client:)`` throws.
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

    /// The recipient's side: who it is that the sender calls so.
    ///
    /// For sixty days identity tokens say the same (``/AppleIDTypes/IdentityTokenClaims/transferSubject``), so whoever
    /// signs in can be found that way too: by subject first, then by transfer subject.
    /// - Throws: ``AppleIDError/Code/transferRejected`` about this one person: note it, and go on with the next;
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
        using token: MigrationToken, _ fields: (AppleClient) throws(AppleIDError) -> [(String, String)]
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
            let request = AppleRequest.post(server.migrationURL, form: form, authorization: token.accessToken)
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
