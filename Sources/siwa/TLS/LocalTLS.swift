import AppleID
import CommandIO
import Crypto
import Foundation
import NIOSSL
import SwiftASN1
import X509

/// A server's key and certificate, and the authority of its own that vouches for them.
struct LocalTLS: Sendable {
    let authority: CertificateAuthority
    let server: CertifiedKey

    init(authority: CertificateAuthority, server: CertifiedKey) {
        self.authority = authority
        self.server = server
    }

    /// Makes both for one run. No private key is written anywhere.
    /// - Parameter domain: A name beside `localhost` by which the server is reached.
    init(owner: String, domain: String?, at now: Date) throws {
        let domains = ["localhost"] + (domain.map { [$0] } ?? [])
        authority = try .make(owner: owner, domains: domains, at: now)
        server = try authority.makeServer(domains: domains, at: now)
    }

    /// Returns the server's configuration, with its certificate and key.
    func serverConfiguration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try certificate(server))],
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(server.key.pemRepresentation.utf8), format: .pem)))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    /// Returns a configuration that trusts this root and no other.
    func clientConfiguration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try certificate(authority.root)])
        return configuration
    }

    private func certificate(_ certified: CertifiedKey) throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(certified.certificatePEM.utf8), format: .pem)
    }
}

/// A certificate authority for the one server on this machine.
struct CertificateAuthority: Sendable {
    let root: CertifiedKey

    private static let day: TimeInterval = 86_400
    /// The lifetime of a root. It is long, because a person has to trust each new root by hand.
    private static let lifetime = 3_650 * day
    private static let serverLifetime = 90 * day
    private static let renewalTime = 7 * day
    /// The time before a certificate's creation from which it is valid, for a client whose clock is a little behind.
    private static let clockSkew: TimeInterval = 3_600

    init(root: CertifiedKey) {
        self.root = root
    }

    /// - Parameters:
    ///   - owner: The owner in the root's name.
    ///   - domains: The only domains it can vouch for, beside addresses.
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
    /// - Parameter domains: At least one; the first is the certificate's own name.
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

/// A private key and the certificate that says whose it is; the two are kept in one file.
struct CertifiedKey: Sendable {
    let key: P256.Signing.PrivateKey
    let certificate: Certificate

    init(key: P256.Signing.PrivateKey, certificate: Certificate) {
        self.key = key
        self.certificate = certificate
    }

    /// - Parameter pem: The text of ``pem``.
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
            let hash = SHA256.hash(data: Data(try certificate.serializeAsPEM().derBytes))
            return hash.map { $0.hexadecimal.uppercased() }.joined(separator: ":")
        }
    }

    func isValid(from now: Date, for time: TimeInterval) -> Bool {
        certificate.notValidBefore <= now && now.addingTimeInterval(time) <= certificate.notValidAfter
    }
}
