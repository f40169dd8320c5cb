import AuthenticationServices
import CryptoKit
import TaskSignals

/// Firebase's helpers of the same name: random text and its hash.
enum CryptoUtils {
    /// The last nonce that was made: the guide's snippet hands a code on without it, and the account service wants it
    /// with a code of Apple's.
    static var latest: String? { made.withLock { $0 } }
    private static let made = Lock<String?>(nil)

    static func randomNonceString(length: Int = 32) throws -> String {
        var randomBytes = [UInt8](repeating: 0, count: length)
        let status = SecRandomCopyBytes(kSecRandomDefault, randomBytes.count, &randomBytes)
        guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
        let nonce = randomBytes.map { String(format: "%02x", $0) }.joined()
        made.withLock { $0 = nonce }
        return nonce
    }

    static func sha256(_ input: String) -> String {
        SHA256.hash(data: Data(input.utf8)).map { String(format: "%02x", $0) }.joined()
    }
}
