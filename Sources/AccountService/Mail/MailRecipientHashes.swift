import Crypto
import Foundation

/// Hashes addresses for the limits: by the look-up form, under a key of the ring, so that nobody who has the database alone
/// can try addresses.
struct MailRecipientHashes: Sendable {
    private let keyRing: KeyRingInUse

    init(keyRing: KeyRingInUse) {
        self.keyRing = keyRing
    }

    /// The hash under the ring's first key. After a change of that key the limits count from the beginning.
    func hash(of address: String) -> TokenHash { hashes(of: address)[0] }

    /// The hash under each key, in the ring's order.
    func hashes(of address: String) -> [TokenHash] {
        let form = Data(AccountSearch.folded(address: address).utf8)
        return keyRing.derivedKeys(for: "mail recipient").map { _, key in
            TokenHash(bytes: Array(HMAC<SHA256>.authenticationCode(for: form, using: key)))
        }
    }
}
