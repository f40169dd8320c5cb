import AppleID
import AppleIDTypes
import Crypto
import StrictJSON

/// One of the keys with which the account service signs, parsed once and fit for ES256.
struct AccessTokenKey: PublicKey {
    let id: KeyID
    let publicKey: P256.Signing.PublicKey

    var derRepresentation: [UInt8] { Array(publicKey.derRepresentation) }

    private static let coordinateBytes = 32

    /// RFC 7518 §6.2.1. Nil also for a point that is not on the curve, and for a key that was published with its
    /// private half: whoever has read it signs as well.
    init?(_ key: JSONValue) {
        guard let id = key["kid"]?.string, (1...255).contains(id.utf8.count),
            key["kty"]?.string == "EC", key["crv"]?.string == "P-256", key["d"] == nil,
            key["use"].map({ $0.string == "sig" }) ?? true,
            key["key_ops"].map({ $0.elements.contains { $0.string == "verify" } }) ?? true,
            key["alg"].map({ $0.string == "ES256" }) ?? true,
            let x = key["x"]?.string.flatMap({ Base64URL.decode($0) }), x.count == Self.coordinateBytes,
            let y = key["y"]?.string.flatMap({ Base64URL.decode($0) }), y.count == Self.coordinateBytes
        else { return nil }
        do {
            publicKey = try P256.Signing.PublicKey(rawRepresentation: x + y)
        } catch {
            // One more way not to be a usable key, and no reason to give up the others of the set.
            return nil
        }
        self.id = KeyID(id)
    }
}
