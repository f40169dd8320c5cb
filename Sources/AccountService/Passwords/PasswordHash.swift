package import AppleIDTypes

/// The hash of a password by scrypt, with the parameters and the salt that made it.
///
/// The text is `scrypt$ln=15,r=8,p=3$salt$hash`: N=2¹⁵, r, p, and salt and hash in base64url without padding.
package struct PasswordHash: Equatable, Sendable, Redacted {
    /// Reads a stored hash.
    /// - Throws: ``AccountError/Code/configuration`` for any other text.
    package init(text: String) throws(AccountError) {
        throw AccountError(.configuration, "not written")
    }

    /// The text to store.
    package var text: String { "" }

    /// Whether the hash was made with another cost than the present one, in any of its parameters lower.
    package func needsRehash(for cost: PasswordCost) -> Bool { false }
}
