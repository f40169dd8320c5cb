import CryptoExtras
import Foundation

@testable import AppleID

/// Good tokens with something changed.
struct TokenMutations {
    static let header = [("kid", "\"TESTKEY001\""), ("alg", "\"RS256\"")]
    static let claims: [(String, String)] =
        TestClaims.identity().members + [
            ("c_hash", "\"aaaaaaaaaaaaaaaaaaaaaa\""), ("email", "\"a@example.com\""), ("email_verified", "true"),
            ("auth_time", "1700000000"), ("nonce_supported", "true"), ("real_user_status", "2"),
        ]
    private static let headerNames = ["kid", "alg", "typ", "crit", "b64", "jwk", "x"]
    private static let claimNames = [
        "iss", "aud", "exp", "iat", "sub", "nonce", "nonce_supported", "email", "email_verified", "events", "c_hash",
        "at_hash", "nbf", "jti", "transfer_sub", "x",
    ]

    /// The token that nothing was changed in.
    let good: String
    var mutator: Mutator

    init(seed: UInt64) throws {
        good = try Self.sign(Mutator.json(Self.header), Mutator.json(Self.claims))
        mutator = Mutator(seed: seed)
    }

    /// A changed token, and whether the signature is over what stands there.
    mutating func next() throws -> (token: String, isSigned: Bool) {
        switch mutator.number(below: 8) {
        case 0:
            // Cut somewhere, so that the change meets header, payload and signature alike.
            return (String(decoding: mutator.change(Array(good.utf8)), as: UTF8.self), false)
        case 1:
            var parts = good.split(separator: ".").map { Base64URL.decode($0) ?? [] }
            let index = mutator.number(below: 3)
            parts[index] = mutator.change(parts[index])
            return (parts.map { Base64URL.text($0) }.joined(separator: "."), false)
        case 2:
            let ending = mutator.pick(["=", "==", ".", ".x", " ", "\n", "\0", "é", "A", ""])
            return (mutator.pick([good + ending, ending + good, good.replacing(".", with: ending + ".")]), false)
        case 3:
            let header = mutator.change(Self.header, names: Self.headerNames)
            return (try Self.sign(Mutator.json(header), Mutator.json(Self.claims)), true)
        case 4:
            return (try Self.sign(mutator.change(Mutator.json(Self.header)), Mutator.json(Self.claims)), true)
        case 5:
            return (try Self.sign(Mutator.json(Self.header), mutator.change(Mutator.json(Self.claims))), true)
        case 6:
            let other = try Self.sign(Mutator.json(Self.header), Mutator.json(Self.claims), by: .other)
            return (other, false)
        default:
            let claims = mutator.change(Self.claims, names: Self.claimNames)
            return (try Self.sign(Mutator.json(Self.header), Mutator.json(claims)), true)
        }
    }

    private static func sign(
        _ header: [UInt8], _ payload: [UInt8], by signer: TestSigner = .shared
    ) throws -> String {
        let input = Base64URL.text(header) + "." + Base64URL.text(payload)
        let signature = try signer.key.signature(for: Data(input.utf8), padding: .insecurePKCS1v1_5)
        return input + "." + Base64URL.text(Array(signature.rawRepresentation))
    }
}
