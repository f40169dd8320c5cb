import Crypto

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `c_hash` and `at_hash` (OpenID Connect Core §3.3.2.11): the left half of a SHA-256, in base64url.
enum HalfHash {
    static func of(_ text: String) -> String {
        Base64URL.encode(SHA256.hash(data: Data(text.utf8)).prefix(16))
    }
}
