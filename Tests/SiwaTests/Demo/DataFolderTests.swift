import Foundation
import Testing

@testable import siwa

@Suite("The folder of a demo")
struct DataFolderTests {
    @Test("has one key ring, made at the first start")
    func keyRing() async throws {
        try await withDataFolder { folder in
            _ = try folder.keyRing()
            let text = try folder.read("key-ring")
            _ = try folder.keyRing()
            #expect(text != nil)
            #expect(try folder.read("key-ring") == text)
        }
    }

    @Test("is left as it is when a file in it cannot be read")
    func unreadable() async throws {
        try await withDataFolder { folder in
            // Whoever runs the tests may read everything, but nobody finds the end of this.
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("key-ring"), withDestinationPath: folder.file("key-ring"))
            let failure = #expect(throws: Failure.self) { try folder.keyRing() }
            #expect(failure?.problem == "the file \(folder.file("key-ring")) cannot be read")
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("key-ring"))
            #expect(target == folder.file("key-ring"))
        }
    }
}
