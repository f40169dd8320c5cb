import AccountAPI
import AccountConnection
import Crypto
import Foundation

/// Checks whether a credential is the answer to this request.
struct AnswerCheck: Sendable {
    let request: AppleIDRequestValues
    /// The SHA-256 of the `transfer_sub` of the person who was asked for, in hexadecimal digits, as the account service
    /// says it if they have another id since the app moved.
    var transferSubjectHash: String?

    func values(in answer: AuthorizationCredentialBody) throws(ASAuthorizationError) -> AppleIDCredentialValues {
        guard answer.state == request.state else {
            throw ASAuthorizationError(.invalidResponse, reason: .stateMismatch)
        }
        guard let claims = IdentityTokenClaims(token: answer.identityToken) else {
            throw ASAuthorizationError(
                .invalidResponse, reason: .unreadableAnswer, explanation: "The identity token cannot be read.")
        }
        guard !answer.user.isEmpty, claims.sub == answer.user else {
            throw ASAuthorizationError(
                .invalidResponse, reason: .unreadableAnswer,
                explanation: "The identity token is about somebody else than the answer.")
        }
        if let nonce = request.nonce, claims.nonce != nonce {
            throw ASAuthorizationError(.invalidResponse, reason: .nonceMismatch)
        }
        // After the app has moved to another team the person has another id. Somebody else who used the app brings
        // a transfer_sub, too, so the account service says which one the person has.
        if let user = request.user, user != answer.user, !isOfMovedUser(claims) {
            throw ASAuthorizationError(.failed, reason: .otherUser)
        }
        return AppleIDCredentialValues(
            user: answer.user, state: answer.state, authorizedScopes: scopes(in: answer.scope),
            authorizationCode: answer.authorizationCode.map { Data($0.utf8) },
            identityToken: Data(answer.identityToken.utf8), email: answer.email,
            fullName: answer.fullName.flatMap(components))
    }

    private func isOfMovedUser(_ claims: IdentityTokenClaims) -> Bool {
        guard let transferSubjectHash, let subject = claims.transferSubject else { return false }
        let digits = SHA256.hash(data: Data(subject.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return digits.joined() == transferSubjectHash
    }

    /// Returns the granted scopes, in the order of the request.
    private func scopes(in text: String) -> [ASAuthorization.Scope] {
        let granted: [ASAuthorization.Scope] = text.split(separator: " ").compactMap { word in
            switch word {
            case "name": .fullName
            case "email": .email
            default: nil
            }
        }
        return request.requestedScopes.filter(granted.contains)
    }

    /// Makes a name; nil without any part of one.
    private func components(of name: FullName) -> PersonNameComponents? {
        var components = PersonNameComponents()
        components.givenName = name.givenName
        components.familyName = name.familyName
        components.middleName = name.middleName
        components.namePrefix = name.namePrefix
        components.nameSuffix = name.nameSuffix
        components.nickname = name.nickname
        return components == PersonNameComponents() ? nil : components
    }
}

/// Claims of an identity token, read without looking at its signature: the account service has verified it. They
/// are read to see that the token belongs to this request.
struct IdentityTokenClaims: Decodable {
    var sub: String?
    var nonce: String?
    /// Apple writes it for sixty days after the app has moved to another team, for people who used the app before.
    var transferSubject: String?

    private enum CodingKeys: String, CodingKey {
        case sub, nonce
        case transferSubject = "transfer_sub"
    }

    /// nil when it is no compact token with a JSON object inside.
    init?(token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Data(base64URL: parts[1]),
            let claims = try? JSONDecoder().decode(Self.self, from: payload)
        else { return nil }
        self = claims
    }
}

extension AppleIDCredentialValues {
    /// Whether the person used the app before it moved to another team, where they had another id.
    var isOfTransferredApp: Bool {
        guard let identityToken else { return false }
        return IdentityTokenClaims(token: String(decoding: identityToken, as: UTF8.self))?.transferSubject != nil
    }
}
