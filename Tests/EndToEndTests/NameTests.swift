import AccountSQL
import AccountSQLite
import AccountService
import AppleID
import AppleIDTesting
import Foundation
import Testing

@Suite("The name, which Apple gives once")
struct NameTests {
    @Test(
        "is there after a first web sign-in that failed because Apple's token endpoint was down",
        arguments: Engine.allCases)
    func tokenEndpointDown(on engine: Engine) async throws {
        let house = try await House(engine)
        house.apple.fail("/auth/token", with: .unreachable)
        await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) {
            try await house.browse(firstName: "Jonathan")
        }
        house.apple.fail("/auth/token", with: nil)
        // Apple gives no name this time.
        let (form, browser) = try await house.comeBack()
        #expect(!form.contains { $0.name == "user" })
        let done = try await house.finish(form, browser: browser)
        #expect(done.isNewAccount)
        #expect(done.account.name?.formatted == "Jonathan Appleseed")
    }

    @Test(
        "is there after a native sign-in that failed, though the app forgot it", arguments: Engine.allCases, [500, 403])
    func nativeOutage(on engine: Engine, status: Int) async throws {
        let house = try await House(engine)
        house.apple.fail("/auth/token", with: .status(status))
        let request = try await house.device(name: "Jonathan")
        await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) {
            try await house.domain.signIn.native(request)
        }
        house.apple.fail("/auth/token", with: nil)
        let done = try await house.domain.signIn.native(house.device(name: nil))
        #expect(done.account.name?.givenName == "Jonathan")
    }

    @Test("is never overwritten with nothing", arguments: Engine.allCases)
    func kept(on engine: Engine) async throws {
        let house = try await House(engine)
        _ = try await house.domain.signIn.native(house.device(name: "Johnny"))
        let later = try await house.domain.signIn.native(house.device(name: nil))
        #expect(later.account.name?.givenName == "Johnny")
        #expect(try await house.browse().account.name?.givenName == "Johnny")
    }

    @Test("loses no part to a later name that lacks it", arguments: Engine.allCases)
    func parts(on engine: Engine) async throws {
        let house = try await House(engine)
        var first = try await house.device()
        first.name = PersonName(givenName: "Johnny", familyName: "Appleseed")
        _ = try await house.domain.signIn.native(first)
        var second = try await house.device()
        second.name = PersonName(givenName: "Jon", nickname: "J")
        let name = try await house.domain.signIn.native(second).account.name
        #expect(name == PersonName(givenName: "Jon", familyName: "Appleseed", nickname: "J"))
    }

    @Test("is kept no longer than thirty days", arguments: Engine.allCases)
    func expiry(on engine: Engine) async throws {
        let house = try await House(engine)
        house.apple.fail("/auth/token", with: .unreachable)
        await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) { try await house.browse() }
        house.apple.fail("/auth/token", with: nil)
        house.clock.advance(by: .seconds(30 * 86_400))
        #expect(try await house.browse().account.name == nil)
    }

    @Test("lies sealed in the database while it waits, as do Apple's tokens")
    func sealed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteAccountStore.open(path: folder.appending(path: "siwa.sqlite").path)
        let house = try await House(store: store)
        house.apple.fail("/auth/token", with: .unreachable)
        await #expect(throws: AppleIDError(.exchangeOutcomeUnknown, "")) {
            try await house.browse(firstName: "Unmistakable")
        }
        try await store.database.close()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let content = try Data(contentsOf: folder.appending(path: file))
            #expect(content.range(of: Data("Unmistakable".utf8)) == nil)
        }
    }
}
