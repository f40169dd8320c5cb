import AppleID
import AppleIDTypes
import AsyncHTTPTransport
import Foundation
import Logging

/// The code of README.md and of the pages Docs/apple-id….md, between the markers.
///
/// Each piece stands in a closure, as it will in a server's routes: there a `do` without the type of its error has none.
enum GuideCode {
    /// Compiled and not run: its transport is the network.
    static func verifyWithoutClients(_ identityToken: String, nonce: String, logger: Logger) async throws {
        try await { () async throws -> Void in
            // guide
            let transport = AsyncHTTPTransport()  // one for the process; `shutdown()` before it ends
            let apple = AppleIDClient(clients: [], transport: transport, logger: logger)
            let identity = try await apple.identityVerifier.verify(
                identityToken,
                expecting: IdentityExpectation(audiences: ["com.example.juice"], nonce: .issued(nonce)))
            print(identity.subject)
            // end
        }()
    }

    static func setUp(pem: String, transport: any AppleTransport, logger: Logger) throws -> AppleIDClient {
        try { () throws -> AppleIDClient in
            // guide
            let key = try AppleClientKey(id: "ABC123DEFG", team: "DEF123GHIJ", pem: pem)
            let apple = AppleIDClient(
                clients: [
                    ClientRegistration(id: "com.example.juice", kind: .app, key: key),
                    ClientRegistration(id: "com.example.juice.web", kind: .service, key: key),
                ],
                transport: transport, logger: logger)
            // end
            return apple
        }()
    }

    static func verify(
        _ token: String, nonce: String, code: AuthorizationCode, apple: AppleIDClient
    ) async throws -> VerifiedIdentity {
        try await { () async throws -> VerifiedIdentity in
            // guide
            let identity = try await apple.identityVerifier.verify(
                token,
                expecting: IdentityExpectation(
                    audiences: ["com.example.juice"], nonce: .issued(nonce),
                    authorizationCode: .ifPresent(code.rawValue)))
            // end
            return identity
        }()
    }

    static func begin(apple: AppleIDClient) throws -> (url: String, state: String) {
        try { () throws -> (url: String, state: String) in
            // guide
            let (state, nonce) = (apple.makeState(), apple.makeNonce())
            let url = try apple.authorizationURL(
                for: AuthorizationRequest(
                    client: "com.example.juice.web", redirectURI: "https://example.com/callback",
                    scopes: [.name, .email], state: state, nonce: nonce))
            // end
            return (url, state)
        }()
    }

    static func read(_ fields: [(name: String, value: String)], state: String) throws -> AuthorizationResponse? {
        try { () throws -> AuthorizationResponse? in
            // guide
            let response = try AuthorizationResponse(form: fields)
            guard response.hasState(state) else { return nil }
            // end
            return response
        }()
    }

    static func exchange(
        _ deviceCode: AuthorizationCode, _ webCode: AuthorizationCode, nonce: String, redirectURI: String,
        apple: AppleIDClient
    ) async throws -> [TokenGrant] {
        try await { () async throws -> [TokenGrant] in
            // guide
            let fromDevice = try await apple.exchange(
                code: deviceCode, client: "com.example.juice", nonce: .issued(nonce))
            let fromWeb = try await apple.exchange(
                code: webCode, client: "com.example.juice.web", nonce: .issued(nonce), redirectURI: redirectURI)
            // end
            return [fromDevice, fromWeb]
        }()
    }

    static func validate(
        _ token: RefreshToken, subject: Subject, apple: AppleIDClient, logger: Logger,
        endSessions: @Sendable (Subject) async throws -> Void
    ) async throws {
        try await { () async throws -> Void in
            // guide
            do throws(AppleIDError) {
                _ = try await apple.refresh(token, client: "com.example.juice", subject: subject)
            } catch let error where error.kind == .grantIsDead {
                try await endSessions(subject)
            } catch let error where error.kind == .configuration {
                logger.error("Apple does not accept this server", metadata: ["error": "\(error.code)"])
            } catch {
                logger.info("nothing is known today", metadata: ["error": "\(error.code)"])
            }
            // end
        }()
    }

    static func deleteAccount(_ token: RefreshToken, apple: AppleIDClient) async throws -> AcceptedRevocation {
        try await { () async throws -> AcceptedRevocation in
            // guide
            let accepted = try await apple.revoke(token, client: "com.example.juice")
            // end
            return accepted
        }()
    }

    static func receive(
        body: [UInt8], apple: AppleIDClient, keep: @Sendable (VerifiedNotification) async throws -> Void
    ) async throws -> Int {
        try await { () async throws -> Int in
            // guide
            let notification: VerifiedNotification
            do throws(AppleIDError) {
                notification = try await apple.notificationVerifier.verify(
                    body: body, expecting: NotificationExpectation(audiences: ["com.example.juice"]))
            } catch {
                return error.kind == .token ? 400 : 503
            }
            try await keep(notification)
            return 200
            // end
        }()
    }

    static func send(
        _ subjects: [Subject], apple: AppleIDClient, note: @Sendable (Subject, Subject?) async throws -> Void
    ) async throws {
        try await { () async throws -> Void in
            // guide
            var token = try await apple.migrationToken(client: "com.example.juice")
            for subject in subjects {
                token = try await apple.migrationToken(renewing: token)
                let transferSubject: Subject?
                do throws(AppleIDError) {
                    transferSubject = try await apple.transferSubject(of: subject, to: "CIDERTEAM2", using: token)
                } catch {
                    guard error.kind == .onePerson else { throw error }
                    transferSubject = nil
                }
                try await note(subject, transferSubject)
            }
            // end
        }()
    }

    static func receive(
        _ transferSubjects: [Subject], apple: AppleIDClient,
        note: @Sendable (Subject, TransferredPerson?) async throws -> Void
    ) async throws {
        try await { () async throws -> Void in
            // guide
            var token = try await apple.migrationToken(client: "com.example.juice")
            for transferSubject in transferSubjects {
                token = try await apple.migrationToken(renewing: token)
                let person: TransferredPerson?
                do throws(AppleIDError) {
                    person = try await apple.person(ofTransferSubject: transferSubject, using: token)
                } catch {
                    guard error.kind == .onePerson else { throw error }
                    person = nil
                }
                try await note(transferSubject, person)
            }
            // end
        }()
    }

    static func explain(_ token: String, apple: AppleIDClient, nonce: String) async -> [String] {
        var lines: [String] = []
        return await { () async -> [String] in
            // guide
            let report = await apple.identityVerifier.examine(
                token, expecting: IdentityExpectation(audiences: ["com.example.juice"], nonce: .issued(nonce)))
            for check in report.checks {
                lines.append("\(check.name): \(check.outcome) (\(check.explanation))")
            }
            // end
            return lines
        }()
    }
}
