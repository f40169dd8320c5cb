public import AccountService
public import AppleIDTypes
import Crypto
import Foundation

/// What webhooks are signed with: one secret, or several while one is being changed. Every one signs, so that a
/// receiver can be told the new one at any time (Standard Webhooks 1.0, "Zero downtime secret rotation").
public struct WebhookSecrets: Sendable, Redacted {
    /// So many can be in use at once.
    static let maximum = 5

    private let keys: [SymmetricKey]

    /// - Parameter text: secrets as `whsec_` and base64 of 24 to 64 random bytes, separated by commas or white space.
    /// - Throws: `AccountError` with the code `configuration`. The reason never quotes a secret.
    public init(parsing text: String) throws(AccountError) {
        var keys: [SymmetricKey] = []
        for part in text.split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
            guard part.hasPrefix("whsec_"), let bytes = Data(base64Encoded: String(part.dropFirst(6))),
                (24...64).contains(bytes.count)
            else {
                throw AccountError(
                    .configuration, "secret \(keys.count + 1) is not `whsec_` and base64 of 24 to 64 random bytes")
            }
            keys.append(SymmetricKey(data: bytes))
        }
        guard (1...Self.maximum).contains(keys.count) else {
            throw AccountError(.configuration, "there must be 1 to \(Self.maximum) secrets")
        }
        self.keys = keys
    }

    /// The value of `webhook-signature`: a signature of each secret.
    /// - Parameter timestamp: seconds since 1970, as in `webhook-timestamp`.
    func signature(id: String, timestamp: Int64, body: some Sequence<UInt8>) -> String {
        let signed = Data("\(id).\(timestamp).".utf8) + Data(body)
        return keys.map { key in
            "v1," + Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
        }.joined(separator: " ")
    }
}
