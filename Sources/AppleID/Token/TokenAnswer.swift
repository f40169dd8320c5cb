import AppleIDTypes
import StrictJSON

/// A good answer of the token endpoint (Apple's "TokenResponse"), parsed and not verified. What a grant has to bring
/// beside the access token is the caller's to say.
struct TokenAnswer: Redacted {
    let accessToken: AccessToken
    /// Nil where there is none, or none that can be read: ``hasUnreadableToken`` tells which.
    let refreshToken: RefreshToken?
    /// Likewise.
    let identityToken: String?
    let expiresIn: Duration
    /// Absent is one thing, a number in its place another: nobody should take that for a token that was left out. No
    /// error yet, so that what came beside it is not lost with it.
    let hasUnreadableToken: Bool

    /// - Throws: what ``TokenRefusal`` says of any other answer; ``AppleIDError/Code/malformedAnswer``.
    init(_ response: AppleResponse, to call: AppleCall) throws(AppleIDError) {
        guard response.status == 200 else { throw TokenRefusal.error(for: response, to: call) }
        let root: JSONValue
        do {
            root = try JSONDocument(response.body).root
        } catch {
            // The answer may hold tokens; where its fault lies says enough.
            throw AppleIDError(.malformedAnswer, "Apple's token answer is not strict JSON: \(error)", cause: error)
        }
        guard let accessToken = root["access_token"]?.string, !accessToken.isEmpty,
            root["token_type"]?.string?.lowercased() == "bearer",
            let seconds = root["expires_in"]?.int64, (0...31_536_000).contains(seconds)
        else { throw Self.malformation }
        self.accessToken = AccessToken(accessToken)
        refreshToken = Self.token(root["refresh_token"]).map { RefreshToken($0) }
        identityToken = Self.token(root["id_token"])
        expiresIn = .seconds(seconds)
        hasUnreadableToken =
            root["refresh_token"] != nil && refreshToken == nil || root["id_token"] != nil && identityToken == nil
    }

    /// - Throws: ``AppleIDError/Code/malformedAnswer`` when a token is there and cannot be read.
    func requireReadable() throws(AppleIDError) {
        guard !hasUnreadableToken else { throw Self.malformation }
    }

    private static func token(_ member: JSONValue?) -> String? {
        member?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    static var malformation: AppleIDError {
        AppleIDError(.malformedAnswer, "Apple's token answer lacks a member, or has one of another type")
    }
}
