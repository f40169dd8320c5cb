import AppleIDTypes
import StrictJSON

/// A good answer of the token endpoint (Apple's "TokenResponse"), parsed and not verified. What a grant has to bring
/// beside the access token is the caller's to say.
struct TokenAnswer: Redacted {
    let accessToken: AccessToken
    let refreshToken: RefreshToken?
    let expiresIn: Duration
    private let identityTokenMember: JSONValue?

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
        identityTokenMember = root["id_token"]
        self.accessToken = AccessToken(accessToken)
        refreshToken = try Self.optionalToken(root["refresh_token"]).map { RefreshToken($0) }
        expiresIn = .seconds(seconds)
    }

    /// Read when it is asked for: what came beside a malformed one must not be lost with it.
    /// - Throws: ``AppleIDError/Code/malformedAnswer`` when it is no text, or an empty one.
    func identityToken() throws(AppleIDError) -> String? {
        try Self.optionalToken(identityTokenMember)
    }

    /// Nil also for one that cannot be read.
    var readableIdentityToken: String? {
        identityTokenMember?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Absent is one thing, a number in its place another: nobody should take that for a token that was left out.
    private static func optionalToken(_ member: JSONValue?) throws(AppleIDError) -> String? {
        guard let member else { return nil }
        guard let text = member.string, !text.isEmpty else { throw malformation }
        return text
    }

    static var malformation: AppleIDError {
        AppleIDError(.malformedAnswer, "Apple's token answer lacks a member, or has one of another type")
    }
}
