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
    ///   - person: by id; the seeded portal has `johnny` first.
    ///   - client: a Services ID, or with `native` an App ID.
    ///   - redirectURI: nil for the first one registered; never given with `native`.
    ///   - name: what the person makes of the proposed name; it counts the first time only.
    ///   - cancels: the person presses Cancel.
    ///   - codeChallenge: of PKCE with S256; never given with `native`.
    ///   - realUserStatus: what Apple thinks of the person; nil for `likelyReal`. Only with `native`, and told the
    ///     first time only.
    /// - Throws: ``OrderRefused`` when the emulator finds the order wrong.
    public func authorize(
        person: String = "johnny", client: ClientID, redirectURI: String? = nil, scopes: [Scope] = [.name, .email],
        state: String? = nil, nonce: String? = nil, responseType: ResponseType? = nil,
        responseMode: ResponseMode? = nil, name: (first: String, last: String)? = nil, hidesEmail: Bool = false,
        cancels: Bool = false, native: Bool = false, codeChallenge: String? = nil,
        realUserStatus: RealUserStatus? = nil
    ) async throws -> TestAuthorization {
        let order = Order(
            person: person, clientID: client, redirectURI: redirectURI,
            scope: scopes.map(\.rawValue).joined(separator: " "), state: state, nonce: nonce,
            responseType: responseType, responseMode: responseMode, decision: cancels ? "cancel" : "continue",
            name: name.map { Order.Name(firstName: $0.first, lastName: $0.last) }, hideEmail: hidesEmail,
            native: native, codeChallenge: codeChallenge, realUserStatus: realUserStatus?.rawValue)
        let authority = portal.baseURL.split(separator: "/").last.map(String.init)
        var request = HTTPRequest(
            method: .post, scheme: "http", authority: authority, path: "/emulator/authorizations")
        request.headerFields[.contentType] = "application/json"
        if let controlToken { request.headerFields[.authorization] = "Bearer \(controlToken)" }
        let (response, body) = await respond(to: request, body: Array(try JSONEncoder().encode(order)))
        guard response.status == .ok else {
            let refusal = try JSONDecoder().decode(OrderRefused.Body.self, from: Data(body))
            throw OrderRefused(code: refusal.error, message: refusal.message)
        }
        return TestAuthorization(try JSONDecoder().decode([String: String].self, from: Data(body)))
    }

    private struct Order: Encodable {
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
