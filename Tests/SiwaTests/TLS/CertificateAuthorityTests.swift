import Crypto
import Foundation
import SwiftASN1
import Testing
@_spi(FixedExpiryValidationTime) import X509

@testable import siwa

@Suite("The demo's certificate authority")
struct CertificateAuthorityTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let authority: CertificateAuthority

    init() throws {
        authority = try .make(at: now)
    }

    /// Whether a client that trusts the authority's root alone takes a certificate.
    private func isTrusted(
        _ certificate: Certificate, host: String? = nil, address: String? = nil, at time: Date? = nil
    ) async -> Bool {
        var verifier = Verifier(rootCertificates: CertificateStore([authority.root.certificate])) {
            RFC5280Policy(fixedExpiryValidationTime: time ?? now)
            ServerIdentityPolicy(serverHostname: host, serverIP: address)
        }
        switch await verifier.validate(leaf: certificate, intermediates: CertificateStore()) {
        case .validCertificate: return true
        case .couldNotValidate: return false
        }
    }

    @Test("The root's fingerprint is the SHA-256 of its certificate, in the form that browsers show")
    func fingerprint() throws {
        let root = authority.root
        let der = try PEMDocument(pemString: root.certificatePEM).derBytes
        let digits = SHA256.hash(data: Data(der)).map { String(format: "%02X", $0) }.joined(separator: ":")
        #expect(try root.fingerprint == digits)
        #expect(try root.fingerprint.utf8.count == 95)
        #expect(try CertificateAuthority.make(at: now).root.fingerprint != digits)
    }

    @Test("The server is known as localhost, 127.0.0.1 and ::1")
    func names() async throws {
        let certificate = try authority.makeServer(at: now).certificate
        #expect(await isTrusted(certificate, host: "localhost"))
        #expect(await isTrusted(certificate, address: "127.0.0.1"))
        #expect(await isTrusted(certificate, address: "::1"))
        #expect(await !isTrusted(certificate, host: "example.com"))
        #expect(await !isTrusted(certificate, address: "127.0.0.2"))
        let names = try #require(try certificate.extensions.subjectAlternativeNames)
        #expect(
            Array(names) == [
                .dnsName("localhost"), .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                .ipAddress(ASN1OctetString(contentBytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])),
            ])
    }

    @Test("The server's certificate is valid for ninety days, and accepted by a clock that is a little behind")
    func lifetime() async throws {
        let certificate = try authority.makeServer(at: now).certificate
        #expect(certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore) == 90 * 86_400)
        #expect(await isTrusted(certificate, host: "localhost", at: now.addingTimeInterval(-1_800)))
        #expect(await !isTrusted(certificate, host: "localhost", at: now.addingTimeInterval(90 * 86_400)))
    }

    @Test("A serial number has at most the twenty bytes that RFC 5280 allows, with its sign")
    func serialNumber() throws {
        for certificate in [authority.root.certificate, try authority.makeServer(at: now).certificate] {
            #expect((8...19).contains(certificate.serialNumber.bytes.count))
        }
    }

    @Test("A certificate is for servers, and its key is on P-256")
    func use() throws {
        let server = try authority.makeServer(at: now)
        #expect(P256.Signing.PublicKey(server.certificate.publicKey) != nil)
        #expect(try server.certificate.extensions.basicConstraints == .notCertificateAuthority)
        #expect(try server.certificate.extensions.extendedKeyUsage == ExtendedKeyUsage([.serverAuth]))
        #expect(server.certificate.signatureAlgorithm == .ecdsaWithSHA256)
    }

    @Test("Another authority's certificate is not trusted")
    func foreign() async throws {
        let other = try CertificateAuthority.make(at: now)
        #expect(await !isTrusted(try other.makeServer(at: now).certificate, host: "localhost"))
    }

    @Test("A stolen root key can't vouch for other names", arguments: ["example.com", "localhost"])
    func constraint(host: String) async throws {
        let key = P256.Signing.PrivateKey()
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: now, notValidAfter: now + 86_400,
            issuer: authority.root.certificate.subject, subject: try DistinguishedName { CommonName(host) },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions { SubjectAlternativeNames([.dnsName(host)]) },
            issuerPrivateKey: Certificate.PrivateKey(authority.root.key))
        #expect(await isTrusted(certificate, host: host) == (host == "localhost"))
    }

    @Test("A key and its certificate are read from their file unchanged")
    func file() throws {
        let server = try authority.makeServer(at: now)
        let read = try CertifiedKey(pem: server.pem)
        #expect(read.certificate == server.certificate)
        #expect(read.key.rawRepresentation == server.key.rawRepresentation)
    }
}
