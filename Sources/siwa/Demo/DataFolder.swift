import AccountHTTP
import AccountService
import AppleID
import CommandIO
import Foundation

/// The folder in which a demo keeps its state: given by name and kept, or made for one run and removed.
struct DataFolder: Sendable {
    static let webhookSecretFile = "webhook-secret"

    let path: String
    /// Whether it goes when the demo ends.
    let isTemporary: Bool

    /// - Parameter path: nil for a temporary folder.
    init(path: String?) throws {
        let files = FileManager.default
        if let path {
            self.path = path
            isTemporary = false
        } else {
            self.path = files.temporaryDirectory.appending(path: "siwa-demo-\(UUID().uuidString)").path
            isTemporary = true
        }
        do {
            try files.createDirectory(
                atPath: self.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure("the folder \(self.path) cannot be made", hint: "give another one with --data")
        }
        try lock()
    }

    /// Keeps a second demo away: each would write its emulator's state over the other's.
    ///
    /// The lock is the process's and goes with it, however it ends.
    private func lock() throws {
        let descriptor = unsafe open(file("lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure("the file \(file("lock")) cannot be written") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw Failure("another demo is running on \(path)", hint: "give another folder with --data")
        }
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The folder's key ring: made at the first start, readable by its owner alone.
    func keyRing() throws -> KeyRing {
        if let text = try read("key-ring") {
            return try KeyRing(parsing: text)
        }
        let text = KeyRing.newText(id: "demo", randomness: AppleIDEnvironment.live.randomBytes(32))
        try write(text, to: "key-ring", permissions: 0o600)
        return try KeyRing(parsing: text)
    }

    /// Returns the secrets that sign the folder's webhooks, made when first needed, readable by the owner alone.
    func webhookSecrets() throws -> WebhookSecrets {
        if let text = try read(Self.webhookSecretFile) {
            do { return try WebhookSecrets(parsing: text) } catch {
                throw Failure("the file \(file(Self.webhookSecretFile)): \(error.reason)")
            }
        }
        let text = "whsec_" + Data(AppleIDEnvironment.live.randomBytes(32)).base64EncodedString()
        try write(text + "\n", to: Self.webhookSecretFile, permissions: 0o600)
        return try WebhookSecrets(parsing: text)
    }

    /// - Returns: nil when there is no such file.
    /// - Throws: ``Failure`` for one that is there and cannot be read: to make another in its place would lose what
    ///   only the old one opens.
    func read(_ name: String) throws -> String? {
        do {
            return String(decoding: try Data(contentsOf: URL(filePath: file(name))), as: UTF8.self)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return nil
        } catch {
            throw Failure("the file \(file(name)) cannot be read")
        }
    }

    /// Replaces the whole file or nothing of it. It has its permissions from its first byte on.
    func write(_ text: String, to name: String, permissions: mode_t) throws {
        try AtomicFile.write(text, to: file(name), permissions: permissions)
    }

    /// Removes a temporary folder; a named one stays.
    func discard() {
        guard isTemporary else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            complain("warning: the temporary folder \(path) could not be removed")
        }
    }
}

/// The demo's certificates are kept in its folder, so that a person needs to trust the root of a kept folder once.
extension LocalTLS {
    /// The root's file for browsers to trust; nothing in it is secret.
    static let rootFile = "tls-authority.pem"
    /// The files with a key and its certificate, for the owner alone.
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
