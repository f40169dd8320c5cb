import Foundation

/// Runs the work with a folder of its own, which is removed afterwards.
func withTemporaryFolder<Value>(_ work: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let result: Result<Value, any Error>
    do {
        result = .success(try await work(folder))
    } catch {
        result = .failure(error)
    }
    try FileManager.default.removeItem(at: folder)
    return try result.get()
}

/// Runs what waits for a disk or a process on a thread that may wait.
func onThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
            continuation.resume(with: Result { try work() })
        }
    }
}

extension FileManager {
    func setPermissions(_ mode: Int, of url: URL) throws {
        try setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    func permissions(of url: URL) throws -> Int? {
        (try attributesOfItem(atPath: url.path)[.posixPermissions] as? NSNumber)?.intValue
    }
}
