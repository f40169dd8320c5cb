import Foundation
import TaskSignals

/// Keeps secrets in the best place of the system: the keychain on Apple's platforms, the desktop's keyring on Linux, and a
/// file elsewhere.
///
/// If Linux has no keyring, the storage uses a file as long as the process runs, and says so once. If the keyring is locked,
/// the storage asks it again at each call. Until it is unlocked, new secrets go to the file, and reading a secret that the
/// file lacks throws an error instead of returning nil. Secrets in the file move to the keyring once it is unlocked.
public final class SystemStorage: SecretStorage {
    /// The storage for the whole process. If it falls back to a file, it says so on standard error.
    public static let shared = SystemStorage()

    private let keyring: (any SecretStorage)?
    private let file: FileStorage?
    private let note: @Sendable (String) -> Void
    private let state = Lock(State())

    private struct State {
        /// Why the keyring is not asked any more, if so.
        var absence: SecretStorageError?
        var hasNoted = false
    }

    /// - Parameters:
    ///   - allowsFile: false makes calls fail with the keyring's error instead of keeping secrets in a file.
    ///   - environment: where the keyring and the file are looked for. The file is in a folder `keyring-absent`, beside
    ///     that of ``FileStorage``.
    ///   - note: is given one sentence for people, at most once; nil writes it to standard error.
    public convenience init(
        allowsFile: Bool = true, environment: [String: String] = ProcessInfo.processInfo.environment,
        note: (@Sendable (String) -> Void)? = nil
    ) {
        let note = note ?? { StandardError.say("note: \($0)") }
        let file = allowsFile ? FileStorage(environment: environment, name: "keyring-absent") : nil
        #if canImport(Darwin)
            self.init(keyring: KeychainStorage(), file: nil, note: note)
        #elseif os(Linux)
            self.init(keyring: SecretServiceStorage(environment: environment), file: file, note: note)
        #else
            self.init(keyring: nil, file: file, note: note)
        #endif
    }

    package init(keyring: (any SecretStorage)?, file: FileStorage?, note: @escaping @Sendable (String) -> Void) {
        self.keyring = keyring
        self.file = file
        self.note = note
    }

    /// Reads a secret from the keyring, or from the file if there is no keyring.
    public func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
        try inKeyring { keyring throws(SecretStorageError) in
            let inKeyring = try keyring.secret(name)
            // The file is the newer one: saving to the keyring removes it.
            guard let left = leftInFile(name) else { return inKeyring }
            do {
                if let secret = left.secret {
                    try keyring.save(secret, as: name)
                } else {
                    try keyring.remove(name)
                }
                try self.file?.remove(name)
            } catch {
                // It stays the newer one, and is moved at another call.
            }
            return left.secret
        } orFile: { file, failure throws(SecretStorageError) in
            guard let kept = try file.kept(name) else {
                if let failure, failure.code.isClosed { throw failure }
                return nil
            }
            return kept.secret
        }
    }

    /// Keeps a secret in the keyring, or in the file if there is no keyring.
    public func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
        try inKeyring { keyring throws(SecretStorageError) in
            try keyring.save(secret, as: name)
            if leftInFile(name) != nil { try self.file?.remove(name) }
        } orFile: { file, failure throws(SecretStorageError) in
            try file.save(secret, as: name)
            if let failure { noteFile(failure) }
        }
    }

    /// Removes a secret from the keyring and the file.
    public func remove(_ name: SecretName) throws(SecretStorageError) {
        try inKeyring { keyring throws(SecretStorageError) in
            try keyring.remove(name)
            try self.file?.remove(name)
        } orFile: { file, failure throws(SecretStorageError) in
            // Otherwise, a keyring that comes back would sign the person in again.
            if let failure, failure.code != .toolMissing {
                try file.markAsRemoved(name)
            } else {
                try file.remove(name)
            }
        }
    }

    /// - Parameter orFile: is given what is wrong with the keyring; nil when this system has none.
    private func inKeyring<Value>(
        _ work: (any SecretStorage) throws(SecretStorageError) -> Value,
        orFile: (FileStorage, SecretStorageError?) throws(SecretStorageError) -> Value
    ) throws(SecretStorageError) -> Value {
        guard let keyring else {
            guard let file else {
                throw SecretStorageError(
                    .serviceMissing, "this system has no keyring that is known here",
                    hint: "Let secrets be kept in a file, or give an own storage.")
            }
            return try orFile(file, nil)
        }
        let failure: SecretStorageError
        if let absence = state.withLock({ $0.absence }) {
            failure = absence
        } else {
            do {
                return try work(keyring)
            } catch {
                failure = error
            }
        }
        guard let file, failure.code.isAbsence || failure.code.isClosed else { throw failure }
        if failure.code.isAbsence {
            state.withLock { $0.absence = failure }
            noteFile(failure)
        }
        return try orFile(file, failure)
    }

    /// Returns the secret in the file while the keyring answers. A file that can't be read doesn't take the keyring
    /// away.
    private func leftInFile(_ name: SecretName) -> SecretFile? {
        do throws(SecretStorageError) {
            return try file?.kept(name)
        } catch {
            say("\(error.reason), so secrets are kept in the keyring alone")
            return nil
        }
    }

    private func noteFile(_ failure: SecretStorageError) {
        say("\(failure.reason), so secrets are kept in a file that only this user may read")
    }

    private func say(_ sentence: String) {
        let isFirst = state.withLock { state in
            defer { state.hasNoted = true }
            return !state.hasNoted
        }
        if isFirst { note(sentence) }
    }
}

/// The default destination of notes for people.
enum StandardError {
    static func say(_ line: String) {
        // Standard error may be closed, or its disk full. Then there is no place left for the note.
        try? FileHandle.standardError.write(contentsOf: Data("\(line)\n".utf8))
    }
}
