import AppleIDTypes
import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// RFC 7518 §3.3: RSASSA-PKCS1-v1_5 with SHA-256 over the token up to the second dot.
struct SignatureRule: VerificationRule {
    var name: String { "signature" }

    func check(_ evidence: inout Evidence) throws(AppleIDError) {
        guard let parts = evidence.parts, let key = evidence.key else {
            throw AppleIDError(.signatureInvalid, "there is no key to check the signature with")
        }
        let digest = SHA256.hash(data: evidence.token[..<parts.signingInputLength])
        guard key.isValid(parts.signature, for: digest) else {
            throw AppleIDError(
                .signatureInvalid, "the signature is not that of key \(key.id.rawValue.quotedForPeople) over this token"
            )
        }
        evidence.digest = digest
    }

    func obstacle(in evidence: borrowing Evidence) -> String? {
        if evidence.parts == nil { return "the token could not be taken apart" }
        return evidence.key == nil ? "there is no key to check it with" : nil
    }

    func finding(in evidence: borrowing Evidence) -> String {
        "made by Apple's key \(evidence.key?.id.rawValue.quotedForPeople ?? "")"
    }
}
