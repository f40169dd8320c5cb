import Crypto

/// The hash by which an identity token names what came beside it (OpenID Connect Core 1.0 §3.3.2.11): base64url of the
/// left half of the SHA-256.
enum HalfHash {
    static func matches(_ claim: String, _ expectation: HashExpectation) -> Bool {
        let value =
            switch expectation {
            case .ifPresent(let value), .required(let value): Array(value.utf8)
            }
        guard !value.isEmpty else { return false }
        return ConstantTime.areEqual(claim, Base64URL.encode(Array(SHA256.hash(data: value).prefix(16))))
    }
}
