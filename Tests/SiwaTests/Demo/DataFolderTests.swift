import CommandIO
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

    @Test("has one secret for webhooks, for its owner alone, or the one that the owner put there")
    func webhookSecret() async throws {
        try await withDataFolder { folder in
            _ = try folder.webhookSecrets()
            let text = try folder.read("webhook-secret")
            _ = try folder.webhookSecrets()
            #expect(try #require(text).hasPrefix("whsec_") && folder.read("webhook-secret") == text)
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("webhook-secret"))
            #expect(attributes[.posixPermissions] as? Int == 0o600)

            try folder.write("whsec_short", to: "webhook-secret", permissions: 0o600)
            let failure = #expect(throws: Failure.self) { try folder.webhookSecrets() }
            #expect(failure?.problem.contains("24 to 64 random bytes") == true)
            #expect(failure?.problem.contains("whsec_short") == false)
        }
    }

    @Test("doesn't change if a file in it can't be read")
    func unreadable() async throws {
        try await withDataFolder { folder in
            // The user who runs the tests may read everything, but nobody finds the end of this link.
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("key-ring"), withDestinationPath: folder.file("key-ring"))
            let failure = #expect(throws: Failure.self) { try folder.keyRing() }
            #expect(failure?.problem == "the file \(folder.file("key-ring")) cannot be read")
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder.file("key-ring"))
            #expect(target == folder.file("key-ring"))
        }
    }
}
