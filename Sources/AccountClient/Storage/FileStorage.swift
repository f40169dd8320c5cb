import Crypto
import Foundation

/// Keeps secrets in files that only this user may read: for machines without a keyring.
///
/// Each secret has a file, written beside its place, flushed, and moved there, so that a process that is killed at any
/// moment leaves the old secret or the new one. Programs that can read this user's files, or the disk while it is not
/// encrypted, can read the secrets.
///
/// Processes may share a folder: one of them writes at a time, under a lock on the file `lock` in it. The system gives the
/// lock back when a process ends. A call that waits three seconds for the lock throws `busy`.
///
/// On Windows the protection is that of the user's profile folder alone, and this code has not been run there.
public struct FileStorage: SecretStorage {
    /// The folder. It is made when the first secret is saved. Its parent folders should be this user's too.
    public let folder: URL
    /// How long a call waits for the lock. Writing takes milliseconds, so a process that holds it for longer has been
    /// stopped.
    let timeLimit: Duration

    /// Makes a storage in a folder that is used for nothing else.
    public init(folder: URL) {
        self.init(folder: folder, timeLimit: .seconds(3))
    }

    init(folder: URL, timeLimit: Duration) {
        self.folder = folder
        self.timeLimit = timeLimit
    }

    /// Uses the folder where programs of this user keep what outlives them: `siwa/secrets` under `$XDG_STATE_HOME`, which
    /// is `~/.local/state` when it is not set to an absolute path; under `%LOCALAPPDATA%` on Windows.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.init(environment: environment, name: "secrets")
    }

    /// Makes storage in another folder beside the usual one.
    init(environment: [String: String], name: String) {
        self.init(folder: Self.stateFolder(name, environment))
    }

    /// A folder of this library in the user's state folder.
    static func stateFolder(_ name: String, _ environment: [String: String]) -> URL {
        base(environment).appending(path: "siwa").appending(path: name)
    }

    private static func base(_ environment: [String: String]) -> URL {
        #if os(Windows)
            if let local = environment["LOCALAPPDATA"], !local.isEmpty { return URL(filePath: local) }
            return URL.homeDirectory
        #else
            // XDG Base Directory Specification: paths that are not absolute are to be ignored.
            if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return URL(filePath: state) }
            let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
            return (home ?? URL.homeDirectory).appending(path: ".local").appending(path: "state")
        #endif
    }

    /// Reads a secret from its file.
    public func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
        try kept(name)?.secret
    }

    /// Reads a secret as ``secret(_:)`` does, and also returns the mark of a removed secret.
    func kept(_ name: SecretName) throws(SecretStorageError) -> SecretFile? {
        guard let folder = try SecretFolder(opening: folder) else { return nil }
        return try kept(name, in: folder)
    }

    private func kept(_ name: SecretName, in folder: borrowing SecretFolder) throws(SecretStorageError) -> SecretFile? {
        guard let data = try folder.read(Self.fileName(of: name)) else { return nil }
        guard let content = try? JSONDecoder().decode(SecretFile.self, from: data), content.isFor(name) else {
            throw SecretStorageError(
                .unreadable, "a file of the secret storage is damaged",
                hint: "Delete \(self.folder.path(percentEncoded: false)) and sign in again.")
        }
        return content
    }

    /// Writes a secret to its file, which takes the old file's place at once.
    public func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
        try write(SecretFile(name: name, secret: secret))
    }

    /// Records that the secret must still be removed from the keyring.
    func markAsRemoved(_ name: SecretName) throws(SecretStorageError) {
        try write(SecretFile(name: name, secret: nil))
    }

    private func write(_ file: SecretFile) throws(SecretStorageError) {
        let folder = try SecretFolder(making: folder)
        try withLock(of: folder) { () throws(SecretStorageError) in try Self.write(file, to: folder) }
    }

    private static func write(_ file: SecretFile, to folder: borrowing SecretFolder) throws(SecretStorageError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data: Data
        do {
            data = try encoder.encode(file)
        } catch {
            throw SecretStorageError(.failed, "the secret cannot be written as JSON")
        }
        try folder.write(data, to: fileName(of: file.name))
    }

    /// Removes a secret's file.
    public func remove(_ name: SecretName) throws(SecretStorageError) {
        guard let folder = try SecretFolder(opening: folder) else { return }
        try withLock(of: folder) { () throws(SecretStorageError) in try folder.remove(Self.fileName(of: name)) }
    }

    /// Reads a secret and writes the new one under the lock of the folder. If nothing is kept, and nothing is to be kept, this
    /// makes no folder.
    public func update(_ name: SecretName, _ change: SecretChange) throws(SecretStorageError) {
        let found = Result { () throws(SecretStorageError) in try kept(name) }
        if case .success(nil) = found, try change(.success(nil)) == nil { return }
        let folder = try SecretFolder(making: folder)
        try withLock(of: folder) { () throws(SecretStorageError) in
            let stored = Result { () throws(SecretStorageError) in try kept(name, in: folder)?.secret }
            if let secret = try change(stored) {
                try Self.write(SecretFile(name: name, secret: secret), to: folder)
            } else {
                try folder.remove(Self.fileName(of: name))
            }
        }
    }

    private func withLock(
        of folder: borrowing SecretFolder, _ work: () throws(SecretStorageError) -> Void
    ) throws(SecretStorageError) {
        try folder.withLock("lock", timeLimit: timeLimit, work)
    }

    /// Returns a file name of one length and without special characters, whatever the secret's name. An access group
    /// makes no difference here.
    private static func fileName(of name: SecretName) -> String {
        let key = "\(name.service.utf8.count):\(name.service)\(name.account)"
        return SHA256.hash(data: Data(key.utf8)).prefix(16).hexadecimal + ".json"
    }
}

/// The content of a file of ``FileStorage``. It has the name of the secret for people who look, and against mix-ups.
struct SecretFile: Codable {
    private var service: String
    private var account: String
    /// The secret; nil for the mark of a secret that must still be removed from the keyring.
    private(set) var secret: String?
    private var isRemoved: Bool?

    init(name: SecretName, secret: String?) {
        service = name.service
        account = name.account
        self.secret = secret
        isRemoved = secret == nil ? true : nil
    }

    var name: SecretName { SecretName(service: service, account: account) }

    /// A file has a secret or says that it was removed; any other is damaged.
    func isFor(_ name: SecretName) -> Bool {
        service == name.service && account == name.account && (secret == nil) == (isRemoved == true)
    }
}

extension Sequence<UInt8> {
    /// The bytes as lowercase hexadecimal digits, two for each byte.
    var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
