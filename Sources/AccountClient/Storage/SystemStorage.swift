import Foundation
import TaskSignals

/// Keeps secrets in the best place of the system: the keychain on Apple's platforms, the desktop's keyring on Linux, and a
/// file elsewhere.
///
/// If Linux has no keyring, the storage uses a file as long as the process runs, and says so once. If the keyring is locked,
/// the storage asks it again at each call. Until it is unlocked, new secrets go to the file, and reading a secret that the
/// file lacks throws an error instead of returning nil. Secrets in the file move to the keyring once it is unlocked.
///
/// Processes may share a secret as they may in ``SecretServiceStorage``. Where a file can stand in for the keyring, a lock on
/// `siwa/locks/system` guards both.
public final class SystemStorage: SecretStorage {
    /// The storage for the whole process. If it falls back to a file, it says so on standard error.
    public static let shared = SystemStorage()

    private let keyring: (any SecretStorage)?
    private let file: FileStorage?
    /// Taken before the locks of keyring and file; nil if the lock of the keyring is enough.
    private let lock: ProcessLock?
    private let note: @Sendable (String) -> Void
    private let state = Lock(State())

    private struct State {
        /// The error of a system without a keyring. Once it is set, no call asks for a keyring again.
        var absence: SecretStorageError?
        var hasNoted = false
    }

    /// Makes a storage in the best place of the system.
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
        #else
            // Longer than a call takes that runs `secret-tool` four times in vain.
            let lock = file.map { _ in ProcessLock("system", environment: environment, timeLimit: .seconds(20)) }
            #if os(Linux)
                self.init(
                    keyring: SecretServiceStorage(environment: environment), file: file, lock: lock, note: note)
            #else
                self.init(keyring: nil, file: file, lock: lock, note: note)
            #endif
        #endif
    }

    /// - Parameter lock: excludes other processes; nil if there is no file, or only this process uses both places.
    init(
        keyring: (any SecretStorage)?, file: FileStorage?, lock: ProcessLock? = nil,
        note: @escaping @Sendable (String) -> Void
    ) {
        self.keyring = keyring
        self.file = file
        self.lock = lock
        self.note = note
    }

    /// Reads a secret from the keyring, or from the file if there is no keyring.
    public func secret(_ name: SecretName) throws(SecretStorageError) -> String? {
        try inKeyring { keyring throws(SecretStorageError) in
            // The file first: if another process moves its secret to the keyring meanwhile, the keyring has it.
            let isInFile = leftInFile(name) != nil
            let inKeyring = try keyring.secret(name)
            guard isInFile else { return inKeyring }
            return try withLock { () throws(SecretStorageError) in try moveFromFile(name, to: keyring) }
        } orFile: { file, failure throws(SecretStorageError) in
            try inFile(name, file, failure)
        }
    }

    /// Moves a secret, or the mark of a removed one, from the file to the keyring. The caller holds the lock.
    /// - Returns: the secret in either.
    private func moveFromFile(
        _ name: SecretName, to keyring: any SecretStorage
    ) throws(SecretStorageError) -> String? {
        // The file is the newer one: saving to the keyring removes it.
        guard let left = leftInFile(name) else { return try keyring.secret(name) }
        do {
            if let secret = left.secret {
                try keyring.save(secret, as: name)
            } else {
                try keyring.remove(name)
            }
            try file?.remove(name)
        } catch {
            // It stays the newer one, and is moved at another call.
        }
        return left.secret
    }

    /// - Parameter failure: the keyring's; nil when this system has none.
    private func inFile(
        _ name: SecretName, _ file: FileStorage, _ failure: SecretStorageError?
    ) throws(SecretStorageError) -> String? {
        guard let kept = try file.kept(name) else {
            if let failure, failure.code.isClosed { throw failure }
            return nil
        }
        return kept.secret
    }

    /// Keeps a secret in the keyring, or in the file if there is no keyring.
    public func save(_ secret: String, as name: SecretName) throws(SecretStorageError) {
        try write { keyring throws(SecretStorageError) in
            try keyring.save(secret, as: name)
            if leftInFile(name) != nil { try file?.remove(name) }
        } orFile: { file, failure throws(SecretStorageError) in
            try save(secret, as: name, in: file, failure)
        }
    }

    private func save(
        _ secret: String, as name: SecretName, in file: FileStorage, _ failure: SecretStorageError?
    ) throws(SecretStorageError) {
        try file.save(secret, as: name)
        if let failure { noteFile(failure) }
    }

    /// Removes a secret from the keyring and the file.
    public func remove(_ name: SecretName) throws(SecretStorageError) {
        try write { keyring throws(SecretStorageError) in
            try keyring.remove(name)
            try file?.remove(name)
        } orFile: { file, failure throws(SecretStorageError) in
            try remove(name, from: file, failure)
        }
    }

    private func remove(
        _ name: SecretName, from file: FileStorage, _ failure: SecretStorageError?
    ) throws(SecretStorageError) {
        // Otherwise, a keyring that comes back would sign the person in again.
        if let failure, failure.code != .toolMissing {
            try file.markAsRemoved(name)
        } else {
            try file.remove(name)
        }
    }

    /// Reads a secret and writes the new one, each in the keyring, or in the file if there is no keyring.
    public func update(_ name: SecretName, _ change: SecretChange) throws(SecretStorageError) {
        try write { keyring throws(SecretStorageError) in
            let left = leftInFile(name)
            var isRemoved = false
            try keyring.update(name) { stored throws(SecretStorageError) in
                let secret = try change(left.map { .success($0.secret) } ?? stored)
                isRemoved = secret == nil
                return secret
            }
            if isRemoved || left != nil { try file?.remove(name) }
        } orFile: { file, failure throws(SecretStorageError) in
            let stored = Result { () throws(SecretStorageError) in try inFile(name, file, failure) }
            if let secret = try change(stored) {
                try save(secret, as: name, in: file, failure)
            } else {
                try remove(name, from: file, failure)
            }
        }
    }

    private func write(
        toKeyring work: (any SecretStorage) throws(SecretStorageError) -> Void,
        orFile: (FileStorage, SecretStorageError?) throws(SecretStorageError) -> Void
    ) throws(SecretStorageError) {
        try withLock { () throws(SecretStorageError) in try inKeyring(work, orFile: orFile) }
    }

    private func withLock<Value>(
        _ work: () throws(SecretStorageError) -> Value
    ) throws(SecretStorageError) -> Value {
        guard let lock else { return try work() }
        return try lock.withLock(work)
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
