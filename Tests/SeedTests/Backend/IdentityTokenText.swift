import AuthenticationServices

/// The content of an identity token, read and not believed: to believe it, send it to the account service.
struct IdentityTokenText {
    let subject: String
    let nonce: String?

    /// Empty when it is no token.
    init(_ token: String) {
        let claims = Self.claims(of: token)
        subject = claims?.sub ?? ""
        nonce = claims?.nonce
    }

    private struct Claims: Decodable {
        let sub: String
        let nonce: String?
    }

    private static func claims(of token: String) -> Claims? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(Claims.self, from: $0) }
    }
}
