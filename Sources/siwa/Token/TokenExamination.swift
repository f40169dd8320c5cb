import AppleID
import AppleIDTypes
import Foundation

/// One examination of a token, with what the person gave to compare it with.
struct TokenExamination {
    let token: String
    /// Empty when none was given: then any audience will do, and the line says so.
    let audiences: Set<ClientID>
    let nonce: String?
    let time: Date?
    let verifier: IdentityVerifier

    func report() async -> TokenChecks {
        guard audiences.isEmpty else { return TokenChecks(await examine(for: audiences)) }
        let stated = await examine(for: []).claims?.audience
        let report = await examine(for: stated.map { [$0] } ?? [])
        var checks = TokenChecks(report)
        if let stated {
            checks.skip("audience", because: "the token is for \(stated); no --audience was given to compare with")
        }
        return checks
    }

    private func examine(for audiences: Set<ClientID>) async -> VerificationReport {
        await verifier.examine(
            token,
            expecting: IdentityExpectation(
                audiences: audiences, nonce: nonce.map { NonceExpectation.issued($0) }, time: time))
    }
}
