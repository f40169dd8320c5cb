import AppleIDTransport
import AppleIDTypes
import Crypto
import StrictJSON

/// A header that an access token of the account service can have (RFC 7515 §4, RFC 9068 §2.1).
///
/// Everything is compared with the header that the service writes. A key in the header, or the address of a key (`jwk`,
/// `jku`, `x5u`), is never used.
struct AccessTokenHeader {
    let keyID: KeyID

    init(_ bytes: [UInt8]) throws(AccessTokenError) {
        let header = try strictObject(bytes, named: "header")
        keyID = try Self.keyID(in: header)
        // RFC 8725 §3.11, RFC 9068 §4: no other kind of token is taken for an access token.
        guard header["typ"]?.isString("at+jwt") == true else {
            throw AccessTokenError(.notAnAccessToken, "the header does not say at+jwt")
        }
    }

    /// Returns the key that a token of any type has to be verified with.
    static func keyID(in header: JSONValue) throws(AccessTokenError) -> KeyID {
        // RFC 7515 §4.1.11: a token that demands an extension is refused. `b64` (RFC 7797) would change what was
        // signed.
        guard header["crit"] == nil, header["b64"] == nil else {
            throw AccessTokenError(.malformedToken, "the header demands an extension (crit or b64)")
        }
        // RFC 8725 §3.1: the algorithm is a constant here, with which the header has to agree.
        guard header["alg"]?.isString("ES256") == true else {
            throw AccessTokenError(.unsupportedAlgorithm, "the header does not say ES256")
        }
        guard let id = header["kid"]?.string, (1...255).contains(id.utf8.count) else {
            throw AccessTokenError(.malformedToken, "the header names no key (kid)")
        }
        return KeyID(id)
    }
}

/// RFC 8259 and RFC 7519 §4: one object, in which no member comes twice.
func strictObject(_ bytes: [UInt8], named name: String) throws(AccessTokenError) -> JSONValue {
    let root: JSONValue
    do {
        root = try JSONDocument(bytes, limits: JSONLimits(maximumDepth: 8)).root
    } catch {
        throw AccessTokenError(.malformedToken, "the \(name) is not strict JSON: \(error)", cause: error)
    }
    guard root.kind == .object else {
        throw AccessTokenError(.malformedToken, "the \(name) is not a JSON object")
    }
    return root
}

/// One of the keys with which the account service signs, parsed once and fit for ES256.
struct AccessTokenKey: PublicKey {
    let id: KeyID
    let publicKey: P256.Signing.PublicKey

    var derRepresentation: [UInt8] { Array(publicKey.derRepresentation) }

    /// RFC 7518 §6.2.1. Nil also for a point that is not on the curve, and for a key that was published with its
    /// private half, because everybody who has read it can sign.
    init?(_ key: JSONValue) {
        guard let id = PublicKeyMembers.id(of: key), key["d"] == nil,
            PublicKeyMembers.isForSignatures(key, by: ["ES256"]), let publicKey = PublicKeyMembers.p256(key)
        else { return nil }
        self.publicKey = publicKey
        self.id = KeyID(id)
    }
}
