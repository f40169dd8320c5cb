import Foundation

/// The demo's certificates are kept in its folder: whoever has trusted the root of a kept folder need not do it again.
extension LocalTLS {
    /// For browsers to trust; nothing in it is secret.
    static let rootFile = "tls-authority.pem"
    /// Key and certificate each, for the owner alone.
    static let authorityFile = "tls-authority-key.pem"
    static let serverFile = "tls-server-key.pem"

    /// Reads what the folder has, and makes what is missing or too old.
    /// - Throws: ``Failure`` when a file is damaged or cannot be written.
    static func open(in folder: DataFolder, at now: Date) throws -> LocalTLS {
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
            return LocalTLS(authority: authority, server: server)
        }
        let server = try authority.makeServer(at: now)
        try folder.write(try server.pem, to: serverFile, permissions: 0o600)
        return LocalTLS(authority: authority, server: server)
    }

    /// - Returns: nil when there is no such file.
    private static func certifiedKey(_ folder: DataFolder, _ name: String) throws -> CertifiedKey? {
        guard let content = try folder.read(name) else { return nil }
        do {
            return try CertifiedKey(pem: content)
        } catch {
            throw Failure("the file \(folder.file(name)) is damaged", hint: "remove it, and the demo makes a new one")
        }
    }
}
