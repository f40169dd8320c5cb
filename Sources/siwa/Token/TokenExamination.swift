import AppleID
import AppleIDTypes
import Foundation

/// One examination of a token, with what the person gave to compare it with.
struct TokenExamination {
    /// What the token is meant to be. One kind is never good as the other.
    enum Kind {
        case identityToken(IdentityVerifier, nonce: String?, code: String?, accessToken: String?)
        case notification(NotificationVerifier)
    }

    let token: String
    let kind: Kind
    /// Empty when none was given: then any audience will do, and the line says so.
    let audiences: Set<ClientID>
    let time: Date?

    func report() async -> TokenChecks {
        // Where nobody is expected it is compared with itself, and the line does not call that a check.
        let stated = audiences.isEmpty ? stated : []
        var checks = await examine(for: audiences.union(stated.map { ClientID($0) }))
        if case .identityToken = kind {
            checks.explain(
                .notAnIdentityToken,
                as: "the token has events: it is a server-to-server notification, which --notification verifies")
        }
        guard audiences.isEmpty else { return checks }
        let names = stated.map { TextForPeople.quoted($0, limit: 80) }.joined(separator: ", ")
        checks.skip("audience", because: "the token is for \(names); no --audience was given to compare with")
        checks.explain(.audienceMismatch, as: "the token is for nobody (aud)")
        return checks
    }

    /// None when there is nothing to read: then other rules say so.
    private var stated: [String] {
        do {
            return try DecodedToken(token).audiences.filter { !$0.isEmpty }
        } catch {
            return []
        }
    }

    private func examine(for audiences: Set<ClientID>) async -> TokenChecks {
        switch kind {
        case .identityToken(let verifier, let nonce, let code, let accessToken):
            TokenChecks(
                await verifier.examine(
                    token,
                    expecting: IdentityExpectation(
                        audiences: audiences, nonce: nonce.map { NonceExpectation.issued($0) },
                        authorizationCode: code.map { .required($0) }, accessToken: accessToken.map { .required($0) },
                        time: time)))
        case .notification(let verifier):
            TokenChecks(
                await verifier.examine(token, expecting: NotificationExpectation(audiences: audiences, time: time)))
        }
    }
}
