import Foundation

@testable import siwa

/// Runs a test with a data folder of its own.
func withDataFolder<Result>(_ body: (DataFolder) async throws -> Result) async throws -> Result {
    let folder = try DataFolder(path: nil)
    defer { folder.discard() }
    return try await body(folder)
}
