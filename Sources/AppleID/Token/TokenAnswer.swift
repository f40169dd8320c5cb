import AppleIDTypes
import StrictJSON

/// A good answer of the token endpoint to an authorization code (Apple's "TokenResponse"), parsed and not verified.
struct TokenAnswer {
    let accessToken: AccessToken
    let refreshToken: RefreshToken?
    let identityToken: String
    let expiresIn: Duration

    /// - Throws: what ``TokenRefusal`` says of any other answer; ``AppleIDError/Code/malformedAnswer``.
    init(_ response: AppleResponse) throws(AppleIDError) {
        guard response.status == 200 else { throw TokenRefusal.error(for: response) }
        let root: JSONValue
        do {
            root = try JSONDocument(response.body).root
        } catch {
            // The answer may hold tokens; where its fault lies says enough.
            throw AppleIDError(.malformedAnswer, "Apple's token answer is not strict JSON: \(error)", cause: error)
        }
        guard let accessToken = root["access_token"]?.string, !accessToken.isEmpty,
            let identityToken = root["id_token"]?.string, !identityToken.isEmpty,
            root["token_type"]?.string?.lowercased() == "bearer",
            let seconds = root["expires_in"]?.int64, (0...31_536_000).contains(seconds)
        else {
            throw AppleIDError(.malformedAnswer, "Apple's token answer lacks a member, or has one of another type")
        }
        self.accessToken = AccessToken(accessToken)
        self.identityToken = identityToken
        refreshToken = root["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : RefreshToken($0) }
        expiresIn = .seconds(seconds)
    }
}
