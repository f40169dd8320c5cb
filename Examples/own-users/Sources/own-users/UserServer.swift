import AppleID
import AppleIDTypes
import Foundation
import Hummingbird
import Logging

/// The routes of a server with users of its own: sign-in of an app, the account and its deletion, and Apple's notifications.
@available(macOS 15, *)
struct UserServer: Sendable {
    private static let nonceLifetime: TimeInterval = 10 * 60
    private static let sessionLifetime: TimeInterval = 30 * 86_400

    let apple: AppleIDClient
    /// The app's bundle identifier.
    let client: ClientID
    let users: UserTable
    let now: @Sendable () -> Date
    let logger: Logger

    func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.post("nonce") { _, _ in try await nonce() }
        router.post("sign-in/apple") { request, context in
            try await signIn(request.decode(as: SignIn.self, context: context))
        }
        router.get("account") { request, _ in try await account(of: request) }
        router.delete("account") { request, _ in try await delete(request) }
        router.post("apple/notifications") { request, _ in try await notification(request) }
        return router
    }

    // MARK: Sign-in

    struct Nonce: ResponseCodable {
        let nonce: String
    }

    struct SignIn: Decodable {
        let identityToken: String
        let authorizationCode: String
        /// The nonce of `POST /nonce`, as it came.
        let nonce: String
        /// The name that the device gave, the first time only. A client says it, so it identifies nobody.
        let name: String?
    }

    struct Account: ResponseCodable {
        let id: String
        let email: String?
        let name: String?
        /// Only in the answer to a sign-in.
        var session: String?
    }

    private func nonce() async throws -> Nonce {
        let nonce = apple.makeNonce()
        try await users.keep(nonce: nonce, until: now() + Self.nonceLifetime)
        return Nonce(nonce: nonce)
    }

    private func signIn(_ body: SignIn) async throws -> Account {
        // Used up before anything is asked, so that no second request gets in with the same token.
        guard try await users.take(nonce: body.nonce, at: now()) else { throw HTTPError(.unauthorized) }
        let grant: TokenGrant
        do throws(AppleIDError) {
            let identity = try await apple.identityVerifier.verify(
                body.identityToken,
                expecting: IdentityExpectation(
                    audiences: [client], nonce: .issued(body.nonce),
                    authorizationCode: .ifPresent(body.authorizationCode)))
            grant = try await apple.exchange(
                code: AuthorizationCode(body.authorizationCode), client: client, nonce: .proven(by: identity))
        } catch {
            logger.notice("a sign-in was refused", metadata: ["error": "\(error.code)"])
            throw HTTPError(error.kind == .transient ? .serviceUnavailable : .unauthorized)
        }
        let session = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        let user = try await users.signIn(
            grant.identity, name: body.name, token: grant.refreshToken, session: session,
            until: now() + Self.sessionLifetime)
        return Account(
            id: user.id, email: user.email, name: user.name, session: Data(session).base64EncodedString())
    }

    // MARK: The account

    private func user(of request: Request) async throws -> UserTable.User {
        guard let header = request.headers[.authorization], header.hasPrefix("Bearer "),
            let session = Data(base64Encoded: String(header.dropFirst(7))),
            let user = try await users.user(ofSession: Array(session), at: now())
        else { throw HTTPError(.unauthorized) }
        return user
    }

    private func account(of request: Request) async throws -> Account {
        let user = try await user(of: request)
        return Account(id: user.id, email: user.email, name: user.name)
    }

    private func delete(_ request: Request) async throws -> HTTPResponse.Status {
        try await users.delete(user(of: request).id)
        await revoke()
        return .noContent
    }

    /// Tells Apple of deleted people. Call it once in a while too: what fails stays, and is told later.
    func revoke() async {
        do {
            for revocation in try await users.revocations() {
                do throws(AppleIDError) {
                    try await apple.revoke(revocation.token, client: revocation.client)
                } catch {
                    // A dead token needs no revocation.
                    guard error.code == .grantRejected else {
                        logger.warning("Apple can't be told yet", metadata: ["error": "\(error.code)"])
                        continue
                    }
                }
                try await users.finish(revocation: revocation.id)
            }
        } catch {
            logger.error("the revocations can't be read", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Notifications

    private func notification(_ request: Request) async throws -> HTTPResponse.Status {
        let body = Array(buffer: try await request.body.collect(upTo: 65_536))
        let notification: VerifiedNotification
        do throws(AppleIDError) {
            notification = try await apple.notificationVerifier.verify(
                body: body, expecting: NotificationExpectation(audiences: [client]))
        } catch {
            return error.kind == .token ? .badRequest : .serviceUnavailable
        }
        try await users.apply(notification)
        return .ok
    }
}

/// Both halves of an app's move to another team, for a server with users of its own.
struct TeamTransfer: Sendable {
    let users: UserTable
    let client: ClientID

    /// Asks Apple, for the team that sends the app, for everybody's transfer subject. It may be called again.
    func export(by sender: AppleIDClient, to team: TeamID) async throws {
        var token = try await sender.migrationToken(client: client)
        for subject in try await users.subjects() {
            token = try await sender.migrationToken(renewing: token)
            let transferSubject: Subject?
            do throws(AppleIDError) {
                transferSubject = try await sender.transferSubject(of: subject, to: team, using: token)
            } catch {
                guard error.kind == .onePerson else { throw error }
                transferSubject = nil
            }
            if let transferSubject { try await users.keep(transferSubject: transferSubject, of: subject) }
        }
    }

    /// Asks Apple, for the team that received the app, who everybody is now.
    func `import`(by recipient: AppleIDClient) async throws {
        var token = try await recipient.migrationToken(client: client)
        for transferSubject in try await users.transferSubjects() {
            token = try await recipient.migrationToken(renewing: token)
            let person: TransferredPerson?
            do throws(AppleIDError) {
                person = try await recipient.person(ofTransferSubject: transferSubject, using: token)
            } catch {
                guard error.kind == .onePerson else { throw error }
                person = nil
            }
            if let person { try await users.move(transferSubject, to: person) }
        }
    }
}
