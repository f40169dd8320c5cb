public import AppleIDEmulator
public import AppleIDTypes
import HTTPTypes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Emulator {
    /// Signs a person in as the sheet would, for a client on the web or, with an App ID, on a device.
    ///
    /// It goes through `POST /emulator/authorizations`: the same rules and the same memory as behind the pages.
    ///
    /// - Parameters:
    ///   - person: the person's identifier. The seeded portal has `johnny` first.
    ///   - client: a Services ID, or with `native` an App ID.
    ///   - redirectURI: the redirect URI; nil for the first one registered. Not allowed with `native`.
    ///   - name: the name that the person types in place of the proposed one. It counts the first time only.
    ///   - cancels: whether the person presses Cancel.
    ///   - codeChallenge: the S256 challenge of PKCE. Not allowed with `native`.
    ///   - realUserStatus: Apple's opinion of the person; nil for `likelyReal`. With `native` only, and the first time
    ///     only.
    /// - Throws: ``AuthorizationRefused`` if the emulator refuses the request.
    public func authorize(
        person: String = "johnny", client: ClientID, redirectURI: String? = nil, scopes: [Scope] = [.name, .email],
        state: String? = nil, nonce: String? = nil, responseType: ResponseType? = nil,
        responseMode: ResponseMode? = nil, name: (first: String, last: String)? = nil, hidesEmail: Bool = false,
        cancels: Bool = false, native: Bool = false, codeChallenge: String? = nil,
        realUserStatus: RealUserStatus? = nil
    ) async throws -> TestAuthorization {
        let form = AuthorizationForm(
            person: person, clientID: client, redirectURI: redirectURI,
            scope: scopes.map(\.rawValue).joined(separator: " "), state: state, nonce: nonce,
            responseType: responseType, responseMode: responseMode, decision: cancels ? "cancel" : "continue",
            name: name.map { AuthorizationForm.Name(firstName: $0.first, lastName: $0.last) }, hideEmail: hidesEmail,
            native: native, codeChallenge: codeChallenge, realUserStatus: realUserStatus?.rawValue)
        let authority = portal.baseURL.split(separator: "/").last.map(String.init)
        var request = HTTPRequest(
            method: .post, scheme: "http", authority: authority, path: "/emulator/authorizations")
        request.headerFields[.contentType] = "application/json"
        if let controlToken { request.headerFields[.authorization] = "Bearer \(controlToken)" }
        let (response, body) = await respond(to: request, body: Array(try JSONEncoder().encode(form)))
        guard response.status == .ok else {
            let refusal = try JSONDecoder().decode(AuthorizationRefused.Body.self, from: Data(body))
            throw AuthorizationRefused(code: refusal.error, message: refusal.message)
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

    struct Body: Decodable {
        let error: String
        let message: String
    }
}
