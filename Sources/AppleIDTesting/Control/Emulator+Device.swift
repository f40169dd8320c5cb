public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

/// A request of an app on a device of Apple's, with the person's decision on the sheet.
public struct TestDeviceRequest: Sendable {
    /// The person who is signed in to the device; nil for a device without an Apple Account.
    public var person: String? = "johnny"
    /// An App ID.
    public var client: ClientID
    /// The data that the app asks for.
    public var scopes: [Scope] = [.name, .email]
    /// The app's own text, which comes back with the credential.
    public var state: String?
    /// The nonce for the identity token, as Apple gets it.
    public var nonce: String?
    /// The person that the app expects.
    public var user: Subject?
    /// Whether the person presses Cancel.
    public var cancels = false
    /// The name that the person types in place of the proposed one. It counts the first time only.
    public var name: (given: String, family: String)?
    /// Whether the person hides the address behind a relay address.
    public var hidesEmail = false
    /// Apple's opinion of the person; nil for `likelyReal`. It is told the first time only.
    public var realUserStatus: RealUserStatus?

    /// Makes a request for name and address by the first person, who consents.
    public init(client: ClientID) {
        self.client = client
    }
}

@available(siwaServer 1.0, *)
extension Emulator {
    /// Asks as an app on a device does, and returns what its delegate gets.
    /// - Throws: ``TestDeviceError`` where the delegate gets an error, and ``ControlRefused`` if the emulator refuses the
    ///   call.
    public func authorizeOnDevice(_ request: TestDeviceRequest) async throws -> TestDeviceCredential {
        struct NameComponents: Encodable {
            let givenName: String
            let familyName: String
        }
        struct Answer: Decodable {
            let credential: TestDeviceCredential?
            let error: TestDeviceError?
        }
        let answer = try await controlled(
            .post, "/emulator/device/authorizations",
            [
                "person": Member(text: request.person), "noAccount": Member(flag: request.person == nil ? true : nil),
                "clientID": Member(text: request.client.rawValue),
                "requestedScopes": Member(texts: request.scopes.map { $0 == .name ? "full_name" : $0.rawValue }),
                "state": Member(text: request.state), "nonce": Member(text: request.nonce),
                "user": Member(text: request.user?.rawValue),
                "decision": Member(text: request.cancels ? "cancel" : "continue"),
                "fullName": request.name.map {
                    Member(value: NameComponents(givenName: $0.given, familyName: $0.family))
                },
                "hideEmail": Member(flag: request.hidesEmail),
                "realUserStatus": Member(number: request.realUserStatus?.rawValue),
            ], as: Answer.self)
        if let error = answer.error { throw error }
        guard let credential = answer.credential else {
            throw ControlRefused(code: "no_credential", message: "The response has neither a credential nor an error.")
        }
        return credential
    }

    /// Returns what a device says of a user identifier: `authorized`, `revoked`, `notFound` or `transferred`.
    /// - Parameter person: the person who is signed in to the device; nil for a device without an Apple Account.
    /// - Throws: ``ControlRefused``.
    public func credentialState(
        of user: Subject, for client: ClientID, person: String? = "johnny"
    ) async throws -> String {
        struct Answer: Decodable {
            let credentialState: String
        }
        return try await controlled(
            .post, "/emulator/device/credential-state",
            [
                "clientID": Member(text: client.rawValue), "user": Member(text: user.rawValue),
                "person": Member(text: person),
                "noAccount": Member(flag: person == nil ? true : nil),
            ], as: Answer.self
        ).credentialState
    }
}

/// The credential that an app on a device gets.
public struct TestDeviceCredential: Sendable, Decodable {
    /// The parts of a name.
    public struct Name: Hashable, Sendable, Decodable {
        /// The given name, as the person typed it on the sheet.
        public let givenName: String?
        /// The family name, as the person typed it on the sheet.
        public let familyName: String?
    }

    /// The person's identifier for the team.
    public let user: Subject
    /// The state of the request.
    public let state: String?
    /// The authorization code, good once and for five minutes of the emulator's clock.
    public let authorizationCode: AuthorizationCode
    /// The identity token, a JSON Web Token for the app.
    public let identityToken: String
    /// The address, with a person's first authorization only.
    public let email: String?
    /// The name, with a person's first authorization only.
    public let fullName: Name?
    /// Apple's opinion of the person.
    public let realUserStatus: RealUserStatus
}

/// The error that an app on a device gets in place of a credential.
public struct TestDeviceError: Error, Hashable, Sendable, Decodable {
    /// The name of Apple's error code: `unknown`, `canceled` or `failed`.
    public let name: String
    /// The number of Apple's error code.
    public let code: Int
}
