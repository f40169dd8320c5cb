public import AppleIDTypes
import Crypto

extension Portal {
    /// A private key for client secrets, with the half that Apple would let a developer download once.
    public struct Key: Hashable, Sendable, Codable {
        public var id: KeyID
        /// PEM, PKCS#8, P-256: the content of a `.p8` file.
        public var privateKey: String

        public init(id: KeyID, privateKey: String) {
            self.id = id
            self.privateKey = privateKey
        }

        /// A new key pair under the given name.
        public static func generated(id: KeyID) -> Self {
            Self(id: id, privateKey: P256.Signing.PrivateKey().pemRepresentation)
        }
    }
}
