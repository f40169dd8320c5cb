import Crypto
import Foundation
import NIOSSL

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

    /// What the server answers with.
    func serverConfiguration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(try certificate(server))],
            privateKey: .privateKey(
                try NIOSSLPrivateKey(bytes: Array(server.key.pemRepresentation.utf8), format: .pem)))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return configuration
    }

    /// Trusts this root and no other.
    func clientConfiguration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([try certificate(authority.root)])
        return configuration
    }

    private func certificate(_ certified: CertifiedKey) throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(certified.certificatePEM.utf8), format: .pem)
    }
}
