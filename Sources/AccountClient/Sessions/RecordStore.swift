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
        try await queue.perform { () throws(SecretStorageError) in try read() }
    }

    /// Writes a record; an empty one leaves nothing behind.
    /// - Parameters:
    ///   - lastSeen: the refresh token that storage had when this client read or wrote it last.
    ///   - replacing: whether the record counts in any case, because somebody has signed in or out in this process.
    /// - Returns: what is stored now, see ``StoredRecord/joined(lastSeen:replacing:with:)``.
    func save(
        _ record: StoredRecord, lastSeen: String?, replacing: Bool = false
    ) async throws(AccountClientError) -> StoredRecord {
        try await queue.perform { () throws(SecretStorageError) in
            let record = try record.joined(lastSeen: lastSeen, replacing: replacing) { () throws(SecretStorageError) in
                try readable()
            }
            guard !record.isEmpty else {
                try storage.remove(name)
                return record
            }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            let data: Data
            do {
                data = try encoder.encode(record)
            } catch {
                throw SecretStorageError(.failed, "the session cannot be written as JSON")
            }
            try storage.save(String(decoding: data, as: UTF8.self), as: name)
            return record
        }
    }

    private func read() throws(SecretStorageError) -> StoredRecord {
        guard let text = try storage.secret(name) else { return StoredRecord() }
        do {
            return try JSONDecoder().decode(StoredRecord.self, from: Data(text.utf8))
        } catch {
            throw SecretStorageError(.unreadable, "what is stored is no session of this library's")
        }
    }

    /// Reads the record; nil if it is damaged or its storage is locked, because a new record may replace it then.
    private func readable() throws(SecretStorageError) -> StoredRecord? {
        do {
            return try read()
        } catch let error where error.code.isReplaceable {
            return nil
        }
    }
}
