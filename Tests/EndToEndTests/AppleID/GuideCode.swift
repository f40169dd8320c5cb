import AppleID
import AppleIDTypes
import Foundation
import Logging

/// The code of Docs/apple-id.md, between the markers, each piece in a function that gives it what it needs.
enum GuideCode {
    static func setUp(pem: String, transport: any AppleTransport, logger: Logger) throws -> AppleIDClient {
        // guide
        let key = try AppleClientKey(id: "ABC123DEFG", team: "DEF123GHIJ", pem: pem)
        let apple = AppleIDClient(
            clients: [
                AppleClient(id: "com.example.juice", kind: .app, key: key),
                AppleClient(id: "com.example.juice.web", kind: .service, key: key),
            ],
            transport: transport, logger: logger)
        // end
        return apple
    }

    static func verify(
        _ token: String, nonce: String, code: AuthorizationCode, apple: AppleIDClient
    ) async throws -> VerifiedIdentity {
        // guide
        let identity = try await apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(
                audiences: ["com.example.juice"], nonce: .issued(nonce),
                authorizationCode: .ifPresent(code.rawValue)))
        // end
        return identity
    }

    static func begin(apple: AppleIDClient) throws -> (url: String, state: String) {
        // guide
        let (state, nonce) = (apple.makeState(), apple.makeNonce())
        let url = try apple.authorizationURL(
            for: AuthorizationRequest(
                client: "com.example.juice.web", redirectURI: "https://example.com/callback",
                scopes: [.name, .email], state: state, nonce: nonce))
        // end
        return (url, state)
    }

    static func read(_ fields: [(name: String, value: String)], state: String) throws -> AuthorizationResponse? {
        // guide
        let response = try AuthorizationResponse(form: fields)
        guard response.hasState(state) else { return nil }
        // end
        return response
    }

    static func exchange(
        _ deviceCode: AuthorizationCode, _ webCode: AuthorizationCode, nonce: String, redirectURI: String,
        apple: AppleIDClient
    ) async throws -> [TokenGrant] {
        // guide
        let fromDevice = try await apple.exchange(
            code: deviceCode, client: "com.example.juice", nonce: .issued(nonce))
        let fromWeb = try await apple.exchange(
            code: webCode, client: "com.example.juice.web", nonce: .issued(nonce), redirectURI: redirectURI)
        // end
        return [fromDevice, fromWeb]
    }

    static func validate(
        _ token: RefreshToken, subject: Subject, apple: AppleIDClient, logger: Logger,
        endSessions: (Subject) async throws -> Void
    ) async throws {
        // guide
        do {
            _ = try await apple.refresh(token, client: "com.example.juice", subject: subject)
        } catch let error where error.kind == .grantIsDead {
            try await endSessions(subject)
        } catch let error where error.kind == .configuration {
            logger.error("Apple does not accept this server", metadata: ["error": "\(error.code)"])
        } catch {
            logger.info("nothing is known today", metadata: ["error": "\(error.code)"])
        }
        // end
    }

    static func deleteAccount(_ token: RefreshToken, apple: AppleIDClient) async throws -> AcceptedRevocation {
        // guide
        let accepted = try await apple.revoke(token, client: "com.example.juice")
        // end
        return accepted
    }

    static func receive(
        body: [UInt8], apple: AppleIDClient, keep: (VerifiedNotification) async throws -> Void
    ) async throws -> Int {
        // guide
        do {
            let notification = try await apple.notificationVerifier.verify(
                body: body, expecting: NotificationExpectation(audiences: ["com.example.juice"]))
            try await keep(notification)
            return 200
        } catch let error as AppleIDError {
            return error.kind == .token ? 400 : 503
        }
        // end
    }

    static func send(
        _ subjects: [Subject], apple: AppleIDClient, note: (Subject, Subject?) async throws -> Void
    ) async throws {
        // guide
        var token = try await apple.migrationToken(client: "com.example.juice")
        for subject in subjects {
            token = try await apple.migrationToken(renewing: token)
            do {
                try await note(subject, apple.transferSubject(of: subject, to: "CIDERTEAM2", using: token))
            } catch let error as AppleIDError where error.kind == .onePerson {
                try await note(subject, nil)
            }
        }
        // end
    }

    static func receive(
        _ transferSubjects: [Subject], apple: AppleIDClient, note: (Subject, TransferredPerson?) async throws -> Void
    ) async throws {
        // guide
        var token = try await apple.migrationToken(client: "com.example.juice")
        for transferSubject in transferSubjects {
            token = try await apple.migrationToken(renewing: token)
            do {
                let person = try await apple.person(ofTransferSubject: transferSubject, using: token)
                try await note(transferSubject, person)
            } catch let error as AppleIDError where error.kind == .onePerson {
                try await note(transferSubject, nil)
            }
        }
        // end
    }

    static func explain(_ token: String, apple: AppleIDClient, nonce: String) async -> [String] {
        var lines: [String] = []
        // guide
        let report = await apple.identityVerifier.examine(
            token, expecting: IdentityExpectation(audiences: ["com.example.juice"], nonce: .issued(nonce)))
        for check in report.checks {
            lines.append("\(check.name): \(check.outcome) (\(check.explanation))")
        }
        // end
        return lines
    }
}
