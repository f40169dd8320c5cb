import Foundation

/// Two claims of an identity token, read without looking at its signature: the account service has verified it. They
/// are read to see that the token belongs to this request.
struct IdentityTokenClaims: Decodable {
    var sub: String?
    var nonce: String?

    /// nil when it is no compact token with a JSON object inside.
    init?(token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]),
            let claims = try? JSONDecoder().decode(Self.self, from: payload)
        else { return nil }
        self = claims
    }
}
