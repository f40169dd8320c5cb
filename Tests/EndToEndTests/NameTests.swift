import AccountSQL
import AccountSQLite
import AccountService
import AppleID
import AppleIDTesting
import Foundation
import Testing

@Suite("The name, which Apple gives once")
struct NameTests {
    /// Goes to Apple and back, and is refused there: Apple calls the code dead.
    private func fail(_ house: House, firstName: String? = nil) async throws {
        let refusing = try await house.domain(over: RefusingApple(inner: house.apple, error: "invalid_grant"))
        let (form, browser) = try await house.comeBack(firstName: firstName)
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await refusing.signIn.finish(AuthorizationResponse(form: form), browser: browser)
        }
    }

    @Test(
        "is there after a first web sign-in that failed because Apple redeemed no code", arguments: Engine.allCases)
    func codeRefused(on engine: Engine) async throws {
        let house = try await House(engine)
        try await fail(house, firstName: "Jonathan")
        // Apple gives no name this time.
        let (form, browser) = try await house.comeBack()
        #expect(!form.contains { $0.name == "user" })
        let done = try await house.finish(form, browser: browser)
        #expect(done.isNewAccount)
        #expect(done.account.name?.formatted == "Jonathan Appleseed")
    }

    @Test("is there after a native sign-in that failed, though the app forgot it", arguments: Engine.allCases)
    func nativeRefused(on engine: Engine) async throws {
        let house = try await House(engine)
        let refusing = try await house.domain(over: RefusingApple(inner: house.apple, error: "invalid_grant"))
        let request = try await house.device(name: "Jonathan")
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await refusing.signIn.native(request)
        }
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
        try await fail(house)
        house.clock.advance(by: .seconds(30 * 86_400))
        #expect(try await house.browse().account.name == nil)
    }

    @Test("lies sealed in the database while it waits, as do Apple's tokens")
    func sealed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await SQLiteAccountStore.open(path: folder.appending(path: "siwa.sqlite").path)
        let house = try await House(store: store)
        try await fail(house, firstName: "Unmistakable")
        try await store.database.close()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let content = try Data(contentsOf: folder.appending(path: file))
            #expect(content.range(of: Data("Unmistakable".utf8)) == nil)
        }
    }
}
