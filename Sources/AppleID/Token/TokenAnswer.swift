import AppleIDTypes
import StrictJSON

/// A good answer of the token endpoint (Apple's "TokenResponse"), parsed and not verified. What a grant has to bring
/// beside the access token is the caller's to say.
struct TokenAnswer: Redacted {
    /// Nil where there is none that can be read.
    let accessToken: AccessToken?
    /// Likewise.
    let refreshToken: RefreshToken?
    /// Likewise.
    let identityToken: String?
    private let expiresIn: Duration?
    /// A token that is absent is one thing, a number in its place another: nobody should take that for one that was
    /// left out. No error yet, so that what came beside it is not lost with it.
    private let isMalformed: Bool

    /// - Throws: what ``TokenRefusal`` says of any other answer; ``AppleIDError/Code/malformedAnswer`` where nothing of
    ///   it can be used.
    init(_ response: AppleResponse, to call: AppleCall) throws(AppleIDError) {
        guard response.status == 200 else { throw TokenRefusal.error(for: response, to: call) }
        let root: JSONValue
        do {
            root = try JSONDocument(response.body).root
        } catch {
            // The answer may hold tokens; where its fault lies says enough.
            throw AppleIDError(.malformedAnswer, "Apple's token answer is not strict JSON: \(error)", cause: error)
        }
        accessToken = Self.token(root["access_token"]).map { AccessToken($0) }
        refreshToken = Self.token(root["refresh_token"]).map { RefreshToken($0) }
        identityToken = Self.token(root["id_token"])
        expiresIn = root["expires_in"]?.int64.flatMap { (0...31_536_000).contains($0) ? .seconds($0) : nil }
        isMalformed =
            root["token_type"]?.string?.lowercased() != "bearer"
            || root["refresh_token"] != nil && refreshToken == nil || root["id_token"] != nil && identityToken == nil
        guard accessToken != nil || refreshToken != nil || identityToken != nil else { throw Self.malformation }
    }

    /// The access token and how long it lives, which every answer has to bring.
    /// - Throws: ``AppleIDError/Code/malformedAnswer`` when anything is there that cannot be read, or is missing.
    func requireReadable() throws(AppleIDError) -> (accessToken: AccessToken, expiresIn: Duration) {
        guard !isMalformed, let accessToken, let expiresIn else { throw Self.malformation }
        return (accessToken, expiresIn)
    }

    /// The same, with the identity token, which an answer to a code has to bring.
    func requireGrant() throws(AppleIDError) -> (
        identityToken: String, accessToken: AccessToken, expiresIn: Duration
    ) {
        let (accessToken, expiresIn) = try requireReadable()
        guard let identityToken else { throw Self.malformation }
        return (identityToken, accessToken, expiresIn)
    }

    private static func token(_ member: JSONValue?) -> String? {
        member?.string.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static var malformation: AppleIDError {
        AppleIDError(.malformedAnswer, "Apple's token answer lacks a member, or has one of another type")
    }
}
