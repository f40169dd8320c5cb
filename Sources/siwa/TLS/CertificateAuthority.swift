import AppleID
import Crypto
import Foundation
import SwiftASN1
import X509

/// Vouches for one server of ours on this machine and for nobody else.
struct CertificateAuthority: Sendable {
    let root: CertifiedKey

    private static let day: TimeInterval = 86_400
    /// Somebody has to trust a new one by hand.
    private static let lifetime = 3_650 * day
    private static let serverLifetime = 90 * day
    private static let renewalTime = 7 * day
    /// A clock that is a little behind must not refuse a certificate that has just been made.
    private static let clockSkew: TimeInterval = 3_600

    init(root: CertifiedKey) {
        self.root = root
    }

    /// - Parameters:
    ///   - owner: What the root's name says.
    ///   - domains: The only ones it can vouch for, beside addresses.
    static func make(
        owner: String = "siwa demo", domains: [String] = ["localhost"], at now: Date
    ) throws -> CertificateAuthority {
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        let serialNumber = makeSerialNumber()
        // Part of the serial number is in the name, so that two roots in one trust store can be told apart.
        let name = try DistinguishedName {
            OrganizationName(owner)
            CommonName("\(owner) on this machine, \(serialNumber.description.suffix(8))")
        }
        let certificate = try Certificate(
            version: .v3, serialNumber: serialNumber, publicKey: publicKey,
            notValidBefore: now.addingTimeInterval(-clockSkew),
            notValidAfter: now.addingTimeInterval(lifetime - clockSkew),
            issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true))
                // People trust this root in their own browser: were its key stolen, no other name could be feigned.
                // Addresses stay unlimited, because BoringSSL refuses a chain with a rule for them.
                Critical(NameConstraints(permittedDNSDomains: domains))
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: Certificate.PrivateKey(key))
        return CertificateAuthority(root: CertifiedKey(key: key, certificate: certificate))
    }

    /// Whether a server's certificate made now would end before the root does.
    func isGood(at now: Date) -> Bool {
        root.isValid(from: now, for: Self.serverLifetime)
    }

    /// Makes a key and a certificate for the domains, 127.0.0.1 and ::1.
    /// - Parameter domains: Not empty; the first is the certificate's own name.
    func makeServer(domains: [String] = ["localhost"], at now: Date) throws -> CertifiedKey {
        let key = P256.Signing.PrivateKey()
        let publicKey = Certificate.PublicKey(key.publicKey)
        let certificate = try Certificate(
            version: .v3, serialNumber: Self.makeSerialNumber(), publicKey: publicKey,
            notValidBefore: now.addingTimeInterval(-Self.clockSkew),
            notValidAfter: now.addingTimeInterval(Self.serverLifetime - Self.clockSkew),
            issuer: root.certificate.subject, subject: try DistinguishedName { CommonName(domains[0]) },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(
                    domains.map { .dnsName($0) } + [
                        .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                        .ipAddress(ASN1OctetString(contentBytes: Array(repeating: 0, count: 15) + [1])),
                    ])
                AuthorityKeyIdentifier(
                    keyIdentifier: SubjectKeyIdentifier(hash: Certificate.PublicKey(root.key.publicKey)).keyIdentifier)
                SubjectKeyIdentifier(hash: publicKey)
            },
            issuerPrivateKey: Certificate.PrivateKey(root.key))
        return CertifiedKey(key: key, certificate: certificate)
    }

    /// Whether a server's certificate is this authority's own and lasts another week.
    func isGood(_ server: CertifiedKey, at now: Date) -> Bool {
        root.certificate.publicKey.isValidSignature(server.certificate.signature, for: server.certificate)
            && server.isValid(from: now, for: Self.renewalTime)
    }

    /// RFC 5280, section 4.1.2.2, allows twenty bytes with the sign; the library's own numbers are one longer at times.
    private static func makeSerialNumber() -> Certificate.SerialNumber {
        Certificate.SerialNumber(bytes: AppleIDEnvironment.live.randomBytes(16))
    }
}
