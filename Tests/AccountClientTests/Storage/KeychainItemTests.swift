import AccountClient
import Foundation
import Testing

@Suite("Juice's keychain item", .timeLimit(.minutes(2)))
struct KeychainItemTests {
    @Test("An item is saved, replaced, read and deleted; deleting a missing item succeeds")
    func keeps() throws {
        let storage = MemoryStorage()
        let item = KeychainItem(service: "com.example.app", account: "userIdentifier", storage: storage)
        try item.deleteItem()
        try item.saveItem("first")
        try item.saveItem("second")
        #expect(try item.readItem() == "second")
        #expect(item.account == "userIdentifier")
        #expect(item.accessGroup == nil)
        try item.deleteItem()
        #expect(throws: KeychainItem.KeychainError.noPassword) { try item.readItem() }
    }

    @Test("A storage that fails is Juice's unhandled error, a damaged item its unexpected data")
    func fails() async throws {
        try await withTemporaryFolder { folder in
            let item = KeychainItem(service: "s", account: "a", storage: FileStorage(folder: folder))
            try item.saveItem("secret")
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            for file in files where file.pathExtension == "json" {
                let handle = try FileHandle(forWritingTo: file)
                try handle.truncate(atOffset: 3)
            }
            #expect(throws: KeychainItem.KeychainError.unexpectedPasswordData) { try item.readItem() }
            try FileManager.default.setPermissions(0o755, of: folder)
            #expect(throws: KeychainItem.KeychainError.unhandledError) { try item.readItem() }
            #expect(throws: KeychainItem.KeychainError.unhandledError) { try item.saveItem("x") }
            #expect(throws: KeychainItem.KeychainError.unhandledError) { try item.deleteItem() }
        }
    }

    @Test("The stored user identifier is empty when there is none, as in Juice")
    func userIdentifier() throws {
        try KeychainItem.$scopedStorage.withValue(MemoryStorage()) {
            #expect(KeychainItem.currentUserIdentifier.isEmpty)
            let service = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            try KeychainItem(service: service, account: "userIdentifier").saveItem("001999.f2a7")
            #expect(KeychainItem.currentUserIdentifier == "001999.f2a7")
            KeychainItem.deleteUserIdentifierFromKeychain()
            #expect(KeychainItem.currentUserIdentifier.isEmpty)
        }
    }
}
