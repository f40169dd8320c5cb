import AccountAPI
import AccountClient
import Foundation
import Testing

@Suite("A saved password", .timeLimit(.minutes(2)))
struct SavedPasswordTests {
    private let device = TestDevice()
    private let saved = SavedPassword(email: TestDevice.email, password: TestDevice.password)

    private var kept: String? {
        get throws { try device.storage.secret(TestDevice.passwordName) }
    }

    @Test("is there at the next start, also when nobody is signed in, until it is removed")
    func kept() async throws {
        let client = try await device.clientByPassword()
        #expect(try await client.savedPassword() == nil)
        try await client.savePassword(saved)
        try await client.signOut()
        #expect(try await device.client().savedPassword() == saved)
        try await device.client().removeSavedPassword()
        try await device.client().removeSavedPassword()
        #expect(try await client.savedPassword() == nil)
        #expect(try kept == nil)
    }

    @Test("shows neither address nor password")
    func secrecy() {
        var dumped = "\(saved)"
        dump(saved, to: &dumped)
        #expect(!dumped.contains("ada") && !dumped.contains("horse"))
    }

    @Test("changes with the password, and is left alone when it is somebody else's", arguments: [true, false])
    func changes(isOwn: Bool) async throws {
        let client = try await device.clientByPassword()
        let email = isOwn ? TestDevice.email : "bob@example.com"
        try await client.savePassword(SavedPassword(email: email, password: "old"))
        try await client.changePassword(from: "old", to: "new")
        #expect(try await client.savedPassword() == SavedPassword(email: email, password: isOwn ? "new" : "old"))
    }

    @Test("goes with the account, and is left alone when it is somebody else's", arguments: [true, false])
    func deletion(isOwn: Bool) async throws {
        let client = try await device.clientByPassword()
        let password = SavedPassword(email: isOwn ? TestDevice.email : "bob@example.com", password: "old")
        try await client.savePassword(password)
        try await client.deleteAccount()
        #expect(try await client.savedPassword() == (isOwn ? nil : password))
    }

    @Test("that is damaged is an error of storage, and can be replaced")
    func damaged() async throws {
        try device.storage.save("nonsense", as: TestDevice.passwordName)
        let client = try device.client()
        #expect(await failure { try await client.savedPassword() }?.code == .storage)
        try await client.savePassword(saved)
        #expect(try await client.savedPassword() == saved)
    }
}
