import AccountAPI
import Foundation

/// Reads and writes a client's record, on a thread that may wait.
///
/// Calls are carried out in the order in which they are made.
struct RecordStore: Sendable {
    let storage: any SecretStorage
    let name: SecretName
    private let queue = StorageQueue()

    init(storage: any SecretStorage, name: SecretName) {
        self.storage = storage
        self.name = name
    }

    /// - Returns: an empty record when nothing is stored.
    func load() async throws(AccountClientError) -> StoredRecord {
        try await queue.perform { () throws(SecretStorageError) in try Self.record(try storage.secret(name)) }
    }

    /// Whether storage has a session with this refresh token. The answer is false if storage can't be read.
    func hasSession(with refreshToken: String) async -> Bool {
        do throws(AccountClientError) {
            return try await load().session?.refreshToken == refreshToken
        } catch {
            return false
        }
    }

    /// Writes a record; an empty one leaves nothing behind. Between the look at storage and the write, no other process can
    /// store another record.
    /// - Parameters:
    ///   - lastSeen: the record that storage had when this client read or wrote it last; empty before.
    ///   - replacing: whether the record's session counts in any case, because somebody has signed in or out in this process.
    /// - Returns: what is stored now, see ``StoredRecord/joined(lastSeen:with:)`` and ``StoredRecord/replacing(lastSeen:_:)``.
    func save(
        _ record: StoredRecord, lastSeen: StoredRecord, replacing: Bool = false
    ) async throws(AccountClientError) -> StoredRecord {
        try await queue.perform { () throws(SecretStorageError) in
            var joined = record
            try storage.update(name) { stored throws(SecretStorageError) in
                if replacing {
                    joined = record.replacing(lastSeen: lastSeen, Self.readable(stored))
                } else {
                    joined = record.joined(lastSeen: lastSeen, with: try Self.replaceable(stored, lastSeen: lastSeen))
                }
                return try Self.text(of: joined)
            }
            return joined
        }
    }

    /// - Returns: nil for an empty record.
    private static func text(of record: StoredRecord) throws(SecretStorageError) -> String? {
        guard !record.isEmpty else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(record), as: UTF8.self)
        } catch {
            throw SecretStorageError(.failed, "the session cannot be written as JSON")
        }
    }

    private static func record(_ text: String?) throws(SecretStorageError) -> StoredRecord {
        guard let text else { return StoredRecord() }
        do {
            return try JSONDecoder().decode(StoredRecord.self, from: Data(text.utf8))
        } catch {
            throw SecretStorageError(.unreadable, "what is stored is no session of this library's")
        }
    }

    /// The stored record; nil if nobody can read it.
    private static func readable(_ stored: Result<String?, SecretStorageError>) -> StoredRecord? {
        do throws(SecretStorageError) {
            return try record(try stored.get())
        } catch {
            return nil
        }
    }

    /// The stored record; nil if nobody can read it and another record may replace it.
    ///
    /// A damaged record may be replaced. So may one in a storage that is locked, unless this client has seen a session there:
    /// another process may have renewed that.
    private static func replaceable(
        _ stored: Result<String?, SecretStorageError>, lastSeen: StoredRecord
    ) throws(SecretStorageError) -> StoredRecord? {
        do {
            return try record(try stored.get())
        } catch let error where error.code.isReplaceable && !(error.code.isClosed && lastSeen.session != nil) {
            return nil
        }
    }
}
