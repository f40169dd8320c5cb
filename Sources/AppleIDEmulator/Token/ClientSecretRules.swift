import AppleIDTypes
import Crypto
import StrictJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FormFields {
    /// Refuses a form without the client's id or its secret.
    func checkHasClient() throws(Refusal) {
        guard self["client_id"] != nil, self["client_secret"] != nil else {
            throw Refusal(.invalidClient, "client_id or client_secret is missing.")
        }
    }
}

/// The rules for a client secret: a short-lived ES256 JWT that a team signs for one of its clients.
///
/// Apple answers `invalid_client` to every fault. The refusal's reason says which rule was broken.
struct ClientSecretRules {
    /// Six months, as Apple counts them.
    static let maximumLifetime: Int64 = 15_777_000
    /// The number of seconds that a client's clock may be ahead.
    static let leeway: Int64 = 60

    let registry: Registry
    let now: Int64
    /// Keys of teams that gave an app away: good for that app, where migration is concerned.
    var formerKeys: [KeyID: Registry.ClientKey] = [:]

    /// - Returns: the client, of the team that signed.
    func check(_ secret: String, clientID: String) throws(Refusal) -> Registry.Client {
        guard var client = registry.clients[ClientID(clientID)] else { throw refused("no client has this client_id") }
        let parts = secret.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw refused("it is not a JWT of three parts") }
        let header = try object(parts[0], "header")
        let claims = try object(parts[1], "payload")
        guard let signature = Base64URL.decode(parts[2]) else { throw refused("its signature is not base64url") }

        guard header["alg"]?.string == "ES256" else { throw refused("alg must be ES256") }
        guard let kid = header["kid"]?.string else { throw refused("kid is missing from the header") }
        guard let key = registry.keys[KeyID(kid)] ?? formerKeys[KeyID(kid)] else {
            throw refused("no key has this kid")
        }
        guard key.team == client.team || formerKeys[KeyID(kid)] != nil else {
            throw refused("the key belongs to another team than client_id")
        }
        guard key.group == client.group else {
            throw refused("the key belongs to another group of apps than client_id")
        }
        try check(signature, over: parts[0] + "." + parts[1], with: key.publicKey)
        guard claims["iss"]?.string == key.team.rawValue else { throw refused("iss must be the Team ID") }
        guard claims["sub"]?.string == clientID else { throw refused("sub must equal client_id") }
        try checkAudience(claims["aud"])
        try checkTimes(claims)
        client.team = key.team
        return client
    }

    private func object(_ part: Substring, _ name: String) throws(Refusal) -> JSONValue {
        guard let bytes = Base64URL.decode(part), let root = try? JSONDocument(bytes).root, root.kind == .object else {
            throw refused("its \(name) is not a JSON object in base64url")
        }
        return root
    }

    private func check(
        _ signature: [UInt8], over input: String, with key: P256.Signing.PublicKey
    ) throws(Refusal) {
        guard signature.count == 64 else {
            let advice = signature.first == 0x30 ? " (this looks like ASN.1 DER)" : ""
            throw refused("its signature must be 64 bytes, R and S one after the other\(advice)")
        }
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature),
            key.isValidSignature(signature, for: Data(input.utf8))
        else { throw refused("its signature is not valid under the key that kid names") }
    }

    /// A string; an array is taken too, if it has this one element.
    private func checkAudience(_ audience: JSONValue?) throws(Refusal) {
        let accepted: Set<String> = ["https://appleid.apple.com", registry.portal.issuer]
        var values = audience?.string.map { [$0] } ?? []
        if let audience, audience.kind == .array { values = audience.elements.map { $0.string ?? "" } }
        guard values.count == 1, accepted.contains(values[0]) else {
            throw refused("aud must be https://appleid.apple.com")
        }
    }

    private func checkTimes(_ claims: JSONValue) throws(Refusal) {
        guard let expiry = seconds(claims["exp"]) else { throw refused("exp is missing or no number") }
        guard expiry > now else { throw refused("it has expired") }
        guard expiry - now <= Self.maximumLifetime else {
            throw refused("exp may be at most \(Self.maximumLifetime) seconds ahead")
        }
        guard let issued = seconds(claims["iat"]) else { throw refused("iat is missing or no number") }
        guard issued <= now + Self.leeway else { throw refused("iat lies in the future") }
    }

    /// Numbers beyond what a date can be count as no number, so that no sum overflows.
    private func seconds(_ value: JSONValue?) -> Int64? {
        let limit: Int64 = 1 << 50
        guard let value, value.kind == .number else { return nil }
        if let integer = value.int64 { return integer.magnitude <= UInt64(limit) ? integer : nil }
        guard let double = value.double, double.magnitude <= Double(limit) else { return nil }
        return Int64(double.rounded(.down))
    }

    private func refused(_ reason: String) -> Refusal { Refusal(.invalidClient, "client_secret: \(reason).") }
}
