import Crypto
import Foundation
import NIOSSL

/// The demo's certificates, kept in its folder: whoever has trusted the root of a kept folder need not do it again.
struct DemoTLS: Sendable {
    /// For browsers to trust; nothing in it is secret.
    static let rootFile = "tls-authority.pem"
    /// Key and certificate each, for the owner alone.
    static let authorityFile = "tls-authority-key.pem"
    static let serverFile = "tls-server-key.pem"

    let authority: CertificateAuthority
    let server: CertifiedKey

    /// Reads what the folder has, and makes what is missing or too old.
    /// - Throws: ``Failure`` when a file is damaged or cannot be written.
    static func open(in folder: DataFolder, at now: Date) throws -> DemoTLS {
        let known = try certifiedKey(folder, authorityFile).map { CertificateAuthority(root: $0) }
        let authority: CertificateAuthority
        if let known, known.isGood(at: now) {
            authority = known
        } else {
            authority = try .make(at: now)
            try folder.write(try authority.root.pem, to: authorityFile, permissions: 0o600)
        }
        try folder.write(try authority.root.certificatePEM, to: rootFile, permissions: 0o644)
        if let server = try certifiedKey(folder, serverFile), authority.isGood(server, at: now) {
            return DemoTLS(authority: authority, server: server)
        }
        let server = try authority.makeServer(at: now)
        try folder.write(try server.pem, to: serverFile, permissions: 0o600)
        return DemoTLS(authority: authority, server: server)
    }

    /// What the service answers with.
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

    /// - Returns: nil when there is no such file.
    private static func certifiedKey(_ folder: DataFolder, _ name: String) throws -> CertifiedKey? {
        guard let content = folder.read(name) else { return nil }
        do {
            return try CertifiedKey(pem: content)
        } catch {
            throw Failure("the file \(folder.file(name)) is damaged", hint: "remove it, and the demo makes a new one")
        }
    }
}
