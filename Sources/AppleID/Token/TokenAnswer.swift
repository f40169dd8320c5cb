import AppleIDTransport
public import AppleIDTypes
import StrictJSON

/// A good answer of the token endpoint (Apple's "TokenResponse"), parsed and not verified. The caller decides what a
/// grant has to bring beside the access token.
struct TokenAnswer: Redacted {
    /// The access token; nil if there is none that can be read.
    let accessToken: AccessToken?
    /// The refresh token; nil if there is none that can be read.
    let refreshToken: RefreshToken?
    /// The identity token; nil if there is none that can be read.
    let identityToken: String?
    private let expiresIn: Duration?
    /// Whether a token has a wrong type, such as a number, which differs from a token that is absent. It is no error
    /// yet, so that the other tokens of the response aren't lost.
    private let isMalformed: Bool

    /// - Throws: the error of ``TokenRefusal`` for any other response; ``AppleIDError/Code/malformedAnswer`` if nothing
    ///   of the response can be used.
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

    /// The access token and how long it lives, with the identity token, which an answer to a code has to bring.
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

/// The meaning of an answer other than 200 (Apple's "ErrorResponse" and TN3107, which say 400 for all).
///
/// Only a dead grant may ever end somebody's session, and only Apple's own word makes a grant dead: pages of its edge,
/// overload and words that nobody knows are all taken for a passing failure.
enum TokenRefusal {
    static func error(for response: AppleResponse, to call: AppleCall) -> AppleIDError {
        guard (400..<500).contains(response.status), response.status != 429, let (word, detail) = read(response.body)
        else {
            return AppleIDError(
                .appleUnavailable, "Apple answered with status \(response.status)", cause: AppleSlowDown(response))
        }
        // Apple sends these codes with status 400 only. With another status, a proxy before Apple sent them.
        if response.status != 400, word == .invalidGrant || word == .invalidRequest {
            return AppleIDError(.appleUnavailable, "Apple answered with status \(response.status)")
        }
        let cause = AppleRefusal(status: response.status, word: word, detail: detail)
        switch (word, call) {
        case (.invalidGrant, .exchange):
            return AppleIDError(
                .grantRejected,
                "Apple says invalid_grant: the code is expired, used or another client's, or its redirect URI differs",
                cause: cause)
        case (.invalidGrant, .refresh), (.invalidGrant, .revocation):
            return AppleIDError(
                .grantRejected, "Apple says invalid_grant: the token is dead or another client's", cause: cause)
        case (.invalidRequest, .refresh):
            // TN3107: Apple also answers so if the person has withdrawn the consent. It can mean nothing else, since
            // this library writes the form of every refresh alike.
            return AppleIDError(
                .grantRejected, "Apple says invalid_request: the person has withdrawn the authorization", cause: cause)
        case (.invalidRequest, .migration), (.invalidGrant, .migration):
            return AppleIDError(
                .transferRejected,
                "Apple says \(word): the person has withdrawn the authorization, the subject is not theirs, "
                    + "or the app is not being transferred now", cause: cause)
        case (.invalidRequest, .exchange):
            // For a refresh token it would mean a withdrawn consent. A code has no consent yet that could be withdrawn.
            return AppleIDError(
                .clientRejected, "Apple says invalid_request: check the code verifier", cause: cause)
        case (.invalidRequest, .revocation):
            // A token that is dead already is answered with 200 (Apple's "Revoke tokens"), so this can't mean a
            // withdrawn authorization. It means a token that is not of the kind it is called (TN3107).
            return AppleIDError(
                .clientRejected, "Apple says invalid_request: check that a refresh token is revoked as one",
                cause: cause)
        case (.invalidClient, _), (.unauthorizedClient, _), (.unsupportedGrantType, _), (.invalidScope, _),
            (.invalidRequest, _), (.invalidGrant, _):
            return AppleIDError(
                .clientRejected, "Apple says \(word): check client, team and key", cause: cause)
        default:
            return AppleIDError(.malformedAnswer, "Apple refused with a word that is not known")
        }
    }

    /// Further members, which Apple does send, are ignored.
    private static func read(_ body: [UInt8]) -> (AppleErrorCode, detail: String?)? {
        do {
            let root = try JSONDocument(body).root
            guard let word = root["error"]?.string else { return nil }
            return (AppleErrorCode(word), root["error_description"]?.string?.quotedForPeople)
        } catch {
            // The response is a page of Apple's edge. The caller reports it.
            return nil
        }
    }
}

/// The OAuth error code in Apple's response: the cause of the error that the library throws. For diagnostics.
///
/// Printing or mirroring it shows status and word, and not the detail.
public struct AppleRefusal: Error, Hashable, Redacted {
    /// The HTTP status code; 400 for all refusals that Apple documents.
    public let status: Int
    /// The error code, one of those that Apple documents.
    public let word: AppleErrorCode
    /// Apple's `error_description`, at most eighty printable characters. It is undocumented, for people, and not for
    /// logs, since nothing says what it may hold.
    public let detail: String?

    /// The status and the error code, without the detail.
    public var description: String { "Apple answered \(status) with \(word)" }
}
