import Crypto
import Foundation
import SwiftASN1
import X509

/// A private key and the certificate that says whose it is; the two are kept in one file.
struct CertifiedKey: Sendable {
    let key: P256.Signing.PrivateKey
    let certificate: Certificate

    init(key: P256.Signing.PrivateKey, certificate: Certificate) {
        self.key = key
        self.certificate = certificate
    }

    /// - Parameter pem: What ``pem`` gave.
    init(pem: String) throws {
        let documents = try PEMDocument.parseMultiple(pemString: pem)
        guard documents.count == 2 else { throw Failure("a key and its certificate were expected") }
        key = try P256.Signing.PrivateKey(pemRepresentation: documents[0].pemString)
        certificate = try Certificate(pemDocument: documents[1])
        guard certificate.publicKey == Certificate.PublicKey(key.publicKey) else {
            throw Failure("the certificate is for another key")
        }
    }

    /// A secret: the key is in it.
    var pem: String {
        get throws { try key.pemRepresentation + "\n" + certificatePEM }
    }

    var certificatePEM: String {
        get throws { try certificate.serializeAsPEM().pemString + "\n" }
    }

    /// SHA-256 of the certificate, as browsers and `openssl x509 -fingerprint -sha256` show it.
    var fingerprint: String {
        get throws {
            let digits = SHA256.hash(data: Data(try certificate.serializeAsPEM().derBytes)).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
            return digits.joined(separator: ":")
        }
    }

    func isValid(from now: Date, for time: TimeInterval) -> Bool {
        certificate.notValidBefore <= now && now.addingTimeInterval(time) <= certificate.notValidAfter
    }
}
