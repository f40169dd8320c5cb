public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A request of an app to Apple, with the person's decision on the sheet, for `Emulator.authorize`.
///
/// ```swift
/// var request = TestAuthorizationRequest(client: "com.example.juice.web")
/// request.cancels = true
/// let answer = try await emulator.authorize(request)
/// ```
public struct TestAuthorizationRequest: Sendable {
    /// The person's identifier. The seeded portal has `johnny` first.
    public var person = "johnny"
    /// A Services ID, or with ``native`` an App ID.
    public var client: ClientID
    /// The redirect URI; nil for the first one registered. Not allowed with ``native``.
    public var redirectURI: String?
    /// The data that the app asks for.
    public var scopes: [Scope] = [.name, .email]
    /// The app's own text, which comes back with the answer.
    public var state: String?
    /// The nonce for the identity token, as Apple gets it.
    public var nonce: String?
    /// The answer that the app wants; nil for the emulator's choice.
    public var responseType: ResponseType?
    /// How the answer comes back to a website; nil for the emulator's choice.
    public var responseMode: ResponseMode?
    /// The name that the person types in place of the proposed one. It counts the first time only.
    public var name: (first: String, last: String)?
    /// Whether the person hides the address behind a relay address.
    public var hidesEmail = false
    /// Whether the person presses Cancel.
    public var cancels = false
    /// Whether an app on a device asks, and not a website.
    public var native = false
    /// The S256 challenge of PKCE. Not allowed with ``native``.
    public var codeChallenge: String?
    /// Apple's opinion of the person; nil for `likelyReal`. With ``native`` only, and the first time only.
    public var realUserStatus: RealUserStatus?

    /// Makes a request for name and address by the first person, who consents.
    public init(client: ClientID) {
        self.client = client
    }
}

@available(siwaServer 1.0, *)
extension Emulator {
    /// Signs a person in as the sheet would, for a client on the web or, with an App ID, on a device.
    ///
    /// It goes through `POST /emulator/authorizations`: the rules and the state are those of the pages.
    /// ``TestAuthorizationRequest`` says what each parameter means, and has more of them.
    /// - Throws: ``AuthorizationRefused`` if the emulator refuses the request.
    public func authorize(
        person: String = "johnny", client: ClientID, scopes: [Scope] = [.name, .email], state: String? = nil,
        nonce: String? = nil, name: (first: String, last: String)? = nil, hidesEmail: Bool = false,
        native: Bool = false
    ) async throws -> TestAuthorization {
        var request = TestAuthorizationRequest(client: client)
        request.person = person
        request.scopes = scopes
        request.state = state
        request.nonce = nonce
        request.name = name
        request.hidesEmail = hidesEmail
        request.native = native
        return try await authorize(request)
    }

    /// Signs a person in as the sheet would, or has them cancel.
    ///
    /// It goes through `POST /emulator/authorizations`: the rules and the state are those of the pages.
    /// - Throws: ``AuthorizationRefused`` if the emulator refuses the request.
    public func authorize(_ asked: TestAuthorizationRequest) async throws -> TestAuthorization {
        let form = AuthorizationForm(asked)
        let body: [UInt8]
        do {
            body = try await control(.post, "/emulator/authorizations", Array(try JSONEncoder().encode(form)))
        } catch let refused as ControlRefused {
            throw AuthorizationRefused(code: refused.code, message: refused.message)
        }
        return TestAuthorization(try JSONDecoder().decode([String: String].self, from: Data(body)))
    }

    /// The body of `POST /emulator/authorizations`.
    private struct AuthorizationForm: Encodable {
        struct Name: Encodable {
            let firstName: String
            let lastName: String
        }

        let person: String
        let clientID: ClientID
        let redirectURI: String?
        let scope: String
        let state: String?
        let nonce: String?
        let responseType: ResponseType?
        let responseMode: ResponseMode?
        let decision: String
        let name: Name?
        let hideEmail: Bool
        let native: Bool
        let codeChallenge: String?
        let realUserStatus: Int?

        init(_ request: TestAuthorizationRequest) {
            person = request.person
            clientID = request.client
            redirectURI = request.redirectURI
            scope = request.scopes.map(\.rawValue).joined(separator: " ")
            state = request.state
            nonce = request.nonce
            responseType = request.responseType
            responseMode = request.responseMode
            decision = request.cancels ? "cancel" : "continue"
            name = request.name.map { Name(firstName: $0.first, lastName: $0.last) }
            hideEmail = request.hidesEmail
            native = request.native
            codeChallenge = request.codeChallenge
            realUserStatus = request.realUserStatus?.rawValue
        }
    }
}

/// The answer to an authorization, field by field, as a callback or a device would get it.
public struct TestAuthorization: Sendable {
    /// The fields, in no particular order. Fields that Apple would leave out are not there.
    public let fields: [(name: String, value: String)]

    init(_ fields: [String: String]) {
        self.fields = fields.map { (name: $0.key, value: $0.value) }
    }

    /// The authorization code, good once and for five minutes of the emulator's clock.
    public var code: AuthorizationCode? { self["code"].map { AuthorizationCode($0) } }
    /// The identity token; absent if the request asked for a code alone.
    public var identityToken: String? { self["id_token"] }
    /// The state of the request.
    public var state: String? { self["state"] }
    /// The name and address as JSON text, with a person's first authorization only.
    public var user: String? { self["user"] }
    /// The error, `user_cancelled_authorize` after a Cancel.
    public var error: AppleErrorCode? { self["error"].map { AppleErrorCode($0) } }

    private subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// An error that says why the emulator refused an authorization that a test asked for.
public struct AuthorizationRefused: Error, Equatable, CustomStringConvertible {
    /// The emulator's error code, such as `unknown_person`, `invalid_client` or `invalid_request`.
    public let code: String
    /// One sentence for people.
    public let message: String

    /// The code and the message, for the output of a test that did not expect the error.
    public var description: String { "\(code): \(message)" }
}
