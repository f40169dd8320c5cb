/// A place for small secrets that outlives the process.
///
/// Its calls wait for a disk or another process, for up to some seconds: make them on a thread that may wait, never in
/// an `async` function. ``AccountClient`` does.
public protocol SecretStorage: Sendable {
    /// - Returns: nil when nothing is kept under the name.
    func secret(_ name: SecretName) throws(SecretStorageError) -> String?

    /// Replaces what was there, wholly or not at all.
    func save(_ secret: String, as name: SecretName) throws(SecretStorageError)

    /// It is fine when nothing was there.
    func remove(_ name: SecretName) throws(SecretStorageError)
}
