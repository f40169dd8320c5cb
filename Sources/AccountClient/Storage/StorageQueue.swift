import Dispatch

/// A thread that may wait for secret storage. Calls are carried out in the order in which they are made.
struct StorageQueue: Sendable {
    private let queue = DispatchQueue(label: "AccountClient.storage")

    func perform<Value: Sendable>(
        _ work: @escaping @Sendable () throws(SecretStorageError) -> Value
    ) async throws(AccountClientError) -> Value {
        let result: Result<Value, SecretStorageError> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(SecretStorageError) in try work() })
            }
        }
        do {
            return try result.get()
        } catch {
            throw AccountClientError(
                .storage, "the device's secret storage failed: \(error.reason)", hint: error.hint, cause: error)
        }
    }
}
