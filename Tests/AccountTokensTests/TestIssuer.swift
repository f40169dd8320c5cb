import Crypto
import Foundation

/// Stands where the account service does: a key, and tokens with whatever in them.
struct TestIssuer: Sendable {
    static let url = "https://accounts.example.com"
    static let audience = "https://api.example.com"
    /// When its tokens are made.
    static let issuedAt: Int64 = 1_800_000_000

    /// A member of a header or payload as JSON text, so that tests write what no encoder would.
    typealias Members = [(name: String, json: String)]

    let keyID: String
    let key = P256.Signing.PrivateKey()

    init(keyID: String = "key_1") {
        self.keyID = keyID
    }

    var header: Members { [("alg", #""ES256""#), ("kid", "\"\(keyID)\""), ("typ", #""at+jwt""#)] }

    var claims: Members {
        [
            ("iss", "\"\(Self.url)\""), ("aud", "\"\(Self.audience)\""), ("sub", #""acc_1""#), ("sid", #""ses_1""#),
            ("client_id", #""com.example.juice""#), ("iat", "\(Self.issuedAt)"), ("exp", "\(Self.issuedAt + 600)"),
            ("auth_time", "\(Self.issuedAt - 100)"), ("jti", #""one""#),
        ]
    }

    /// The public key as it is published.
    var publicKey: [String: String] {
        let point = Array(key.publicKey.rawRepresentation)
        return [
            "kty": "EC", "use": "sig", "alg": "ES256", "kid": keyID, "crv": "P-256", "x": Self.text(point[..<32]),
            "y": Self.text(point[32...]),
        ]
    }

    /// A good token but for what is changed; nil takes a member away.
    func token(header: [String: String?] = [:], claims: [String: String?] = [:]) throws -> String {
        try sign(Self.object(Self.changed(self.header, header)), Self.object(Self.changed(self.claims, claims)))
    }

    /// A token of this header and payload, both verbatim.
    func sign(_ header: String, _ payload: String) throws -> String {
        let input = Self.text(header.utf8) + "." + Self.text(payload.utf8)
        return try input + "." + Self.text(key.signature(for: Data(input.utf8)).rawRepresentation)
    }

    static func object(_ members: Members) -> String {
        "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}"
    }

    static func changed(_ members: Members, _ changes: [String: String?]) -> Members {
        var result = members.compactMap { member in
            (changes[member.name] ?? member.json).map { (name: member.name, json: $0) }
        }
        for (name, json) in changes where !members.contains(where: { $0.name == name }) {
            if let json { result.append((name, json)) }
        }
        return result
    }

    static func keySet(_ keys: [[String: String]]) throws -> [UInt8] {
        [UInt8](try JSONSerialization.data(withJSONObject: ["keys": keys]))
    }

    /// base64url without padding.
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
