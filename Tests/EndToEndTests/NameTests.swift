import AccountDatabase
import AccountSQLite
import AccountService
import AppleID
import AppleIDTesting
import Foundation
import Testing

@Suite("The name, which Apple gives once")
struct NameTests {
    /// Goes to Apple and back, and is refused there: Apple calls the code dead.
    private func fail(_ system: TestSystem, firstName: String? = nil) async throws {
        let refusing = try await system.domain(over: RefusingApple(inner: system.apple, error: "invalid_grant"))
        let (form, browser) = try await system.comeBack(firstName: firstName)
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await refusing.callback.finish(AuthorizationResponse(form: form), browser: browser)
        }
    }

    @Test(
        "is there after a first web sign-in that failed because Apple redeemed no code", arguments: Engine.allCases)
    func codeRefused(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        try await fail(system, firstName: "Jonathan")
        // Apple gives no name this time.
        let (form, browser) = try await system.comeBack()
        #expect(!form.contains { $0.name == "user" })
        let done = try await system.finish(form, browser: browser)
        #expect(done.isNewAccount)
        #expect(done.account.name?.formatted == "Jonathan Appleseed")
    }

    @Test("is there after a native sign-in that failed, though the app forgot it", arguments: Engine.allCases)
    func nativeRefused(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let refusing = try await system.domain(over: RefusingApple(inner: system.apple, error: "invalid_grant"))
        let request = try await system.device(name: "Jonathan")
        await #expect(throws: AppleIDError(.grantRejected, "")) {
            try await refusing.signIn.native(request)
        }
        let done = try await system.domain.signIn.native(system.device(name: nil))
        #expect(done.account.name?.givenName == "Jonathan")
    }

    // MARK: Without the browser's cookie

    /// Apple's answer comes, and not from the browser that began.
    private func bring(_ form: [(name: String, value: String)], to system: TestSystem, _ browser: BrowserSecret? = nil)
        async throws
    {
        await #expect(throws: AccountError(.browserMismatch, "")) {
            try await system.domain.callback.finish(AuthorizationResponse(form: form), browser: browser)
        }
        await system.domain.finishing.idle()
    }

    @Test(
        "is there after a first web sign-in that came back without its cookie, or with another's",
        arguments: Engine.allCases, [true, false])
    func cookieLost(on engine: Engine, isForeign: Bool) async throws {
        let system = try await TestSystem(engine)
        let form = try await system.comeBack(firstName: "Jonathan").form
        let foreign = try await system.domain.signIn.begin(browser: nil).browser
        try await bring(form, to: system, isForeign ? foreign : nil)
        #expect(try await system.store.accountCount() == 0)
        #expect(system.apple.count(of: "/auth/token") == 0)
        let done = try await system.browse()
        #expect(done.isNewAccount && done.account.name?.formatted == "Jonathan Appleseed")
        #expect(done.account.email == "johnny@example.com")
    }

    @Test("is kept without its cookie for the authorization of an app too", arguments: Engine.allCases)
    func authorizationWithoutCookie(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let asking = try await system.ask(nonce: String.nonce().sha256)
        let beginning = try await system.domain.authorizations.proceed(asking.id, browser: nil)
        try await bring(try await system.decide(at: beginning.location, firstName: "Jonathan"), to: system)
        #expect(try await system.browse().account.name?.givenName == "Jonathan")
    }

    @Test("is kept without its cookie for a fresh proof too", arguments: Engine.allCases)
    func proofWithoutCookie(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        let cookie = try await system.browse().sessionCookie
        let session = try await system.domain.sessions.authenticate(cookie: cookie)
        let beginning = try await ProofUse.reauthentication.begin(in: session, of: system.domain)
        let form = try await system.decide(at: beginning.location, person: "zoe", firstName: "Zoë")
        try await bring(form, to: system)
        #expect(try await system.browse(person: "zoe").account.name?.givenName == "Zoë")
    }

    @Test(
        "is there after another person than the session's came back from a fresh proof", arguments: Engine.allCases,
        ProofUse.allCases)
    func otherPerson(on engine: Engine, _ use: ProofUse) async throws {
        let system = try await TestSystem(engine)
        let cookie = try await system.browse().sessionCookie
        let session = try await system.domain.sessions.authenticate(cookie: cookie)
        let beginning = try await use.begin(in: session, of: system.domain)
        let form = try await system.decide(at: beginning.location, person: "zoe", firstName: "Zoë")
        try #require(form.contains { $0.name == "user" })
        await #expect(throws: AccountError(.credentialMismatch, "")) {
            try await system.domain.callback.finish(AuthorizationResponse(form: form), browser: beginning.browser)
        }
        await system.domain.finishing.idle()
        #expect(try await system.store.accountCount() == 1)
        // Apple gives no name this time.
        let done = try await system.browse(person: "zoe")
        #expect(done.isNewAccount && done.account.name?.givenName == "Zoë")
        #expect(try await system.store.account(session.account.id)?.name?.givenName == "Johnny")
    }

    private static let planted = (name: "user", value: #"{"name":{"firstName":"Planted","lastName":"Name"}}"#)

    @Test("stays the first that was kept without the cookie", arguments: Engine.allCases)
    func second(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        try await bring(try await system.comeBack(firstName: "Jonathan").form, to: system)
        try await bring(try await system.comeBack().form + [Self.planted], to: system)
        #expect(try await system.browse().account.name?.givenName == "Jonathan")
    }

    @Test(
        "is not kept without the cookie if any part of the answer belongs to another attempt",
        arguments: Engine.allCases,
        ["id_token", "code", "both", "age"])
    func mixed(on engine: Engine, what: String) async throws {
        let system = try await TestSystem(engine)
        var form = try await system.comeBack(firstName: "Planted").form
        let other = try await system.comeBack().form
        for name in ["id_token", "code"] where what == name || what == "both" {
            let index = try #require(form.firstIndex { $0.name == name })
            form[index].value = try #require(other.first { $0.name == name }?.value)
        }
        if what == "age" { system.clock.advance(by: .seconds(601)) }
        try await bring(form, to: system)
        #expect(try await system.browse().account.name == nil)
    }

    @Test("cannot be planted without the cookie for somebody who has a name", arguments: Engine.allCases)
    func planted(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        _ = try await system.domain.signIn.native(system.device(name: "Johnny"))
        try await bring(try await system.comeBack().form + [Self.planted], to: system)
        #expect(try await system.browse().account.name?.givenName == "Johnny")
    }

    @Test("is never overwritten with nothing", arguments: Engine.allCases)
    func kept(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        _ = try await system.domain.signIn.native(system.device(name: "Johnny"))
        let later = try await system.domain.signIn.native(system.device(name: nil))
        #expect(later.account.name?.givenName == "Johnny")
        #expect(try await system.browse().account.name?.givenName == "Johnny")
    }

    @Test("keeps the parts that a later name lacks", arguments: Engine.allCases)
    func parts(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        var first = try await system.device()
        first.name = PersonName(givenName: "Johnny", familyName: "Appleseed")
        _ = try await system.domain.signIn.native(first)
        var second = try await system.device()
        second.name = PersonName(givenName: "Jon", nickname: "J")
        let name = try await system.domain.signIn.native(second).account.name
        #expect(name == PersonName(givenName: "Jon", familyName: "Appleseed", nickname: "J"))
    }

    @Test("is kept no longer than thirty days", arguments: Engine.allCases)
    func expiry(on engine: Engine) async throws {
        let system = try await TestSystem(engine)
        try await fail(system)
        system.clock.advance(by: .seconds(30 * 86_400))
        #expect(try await system.browse().account.name == nil)
    }

    @Test("is sealed in the database while it waits, as Apple's tokens are")
    func sealed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await AccountTransactions.open(.sqlite(folder.appending(path: "siwa.sqlite").path))
        let system = try await TestSystem(store: store)
        try await fail(system, firstName: "Unmistakable")
        try await store.database.close()
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let content = try Data(contentsOf: folder.appending(path: file))
            #expect(content.range(of: Data("Unmistakable".utf8)) == nil)
        }
    }
}
