import AppleID
import AppleIDTypes
import Crypto
import CryptoExtras
import Foundation
import JWTKit

/// The tokens, and each contender's way to check one of them.
struct VerifyWork: Sendable {
    struct Sample: Sendable {
        let token: String
        let nonce: String
        let digest: SHA256.Digest
        let signature: _RSA.Signing.RSASignature
    }

    enum Mistake: Error {
        case signatureRefused
    }

    private let samples: [Sample]
    private let publicKey: _RSA.Signing.PublicKey
    private let verifier: IdentityVerifier
    private let jwtKeys: JWTKeyCollection
    private let audiences: Set<ClientID>

    init(tokens: Int) async throws {
        let mint = try TokenMint(audience: "com.example.juice")
        samples = try (0..<tokens).map { number in
            let (token, nonce) = try mint.token(number, person: number)
            let parts = token.split(separator: ".")
            let signature = String(parts[2]).replacing("-", with: "+").replacing("_", with: "/") + "=="
            guard let bytes = Data(base64Encoded: signature) else { throw Mistake.signatureRefused }
            return Sample(
                token: token, nonce: nonce, digest: SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8)),
                signature: _RSA.Signing.RSASignature(rawRepresentation: bytes))
        }
        publicKey = mint.privateKey.publicKey
        let keySet = try mint.keySet()
        verifier = IdentityVerifier(keys: try KeyCache(fixed: Array(keySet)))
        jwtKeys = try await JWTKeyCollection().add(jwksJSON: String(decoding: keySet, as: UTF8.self))
        audiences = [ClientID(mint.audience)]
    }

    func raw(_ index: Int) throws {
        let sample = samples[index % samples.count]
        guard publicKey.isValidSignature(sample.signature, for: sample.digest, padding: .insecurePKCS1v1_5) else {
            throw Mistake.signatureRefused
        }
    }

    func siwa(_ index: Int) async throws {
        let sample = samples[index % samples.count]
        _ = try await verifier.verify(
            sample.token,
            expecting: IdentityExpectation(audiences: audiences, nonce: .hashed(ofRaw: sample.nonce)))
    }

    func jwtKit(_ index: Int) async throws {
        _ = try await jwtKeys.verify(samples[index % samples.count].token, as: AppleIdentityToken.self)
    }
}
