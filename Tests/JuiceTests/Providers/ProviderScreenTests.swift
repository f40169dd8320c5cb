import AccountClient
import Foundation
import Testing

@testable import JuiceScreens
@testable import juice

@Suite("Sign-in with other providers")
struct ProviderScreenTests {
    private static let google = OfferedProvider(text: "google=Google")
    private static let staff = OfferedProvider(text: "staff")

    private func model() throws -> JuiceModel {
        JuiceModel(providers: [try #require(Self.google), try #require(Self.staff)])
    }

    private func listed(_ way: WayIn) -> String {
        [way].blocks { _ in "14:32" }.map { "\($0)" }.joined()
    }

    @Test("An option names a provider and what people call it")
    func option() {
        #expect(Self.google?.id == "google" && Self.google?.name == "Google")
        #expect(Self.staff?.id == "staff" && Self.staff?.name == "Staff")
        #expect(OfferedProvider(text: "a=b\u{1B}[2Jc")?.name == "b[2Jc")
        for argument in ["", "=Google", "goo gle", "google=", "g/x"] {
            #expect(OfferedProvider(text: argument) == nil, "\(argument)")
        }
    }

    @Test("X, Y and Z sign in with them, and nobody who names none sees them")
    func signsIn() throws {
        var model = try model()
        _ = model.handle(.launched)
        _ = model.handle(.accountFound(nil))
        #expect(model.buttons.map(\.title).contains("Sign in with Google"))
        #expect(model.handle(.key(.character("y"))) == [.signIn(Self.staff)])
        #expect(model.screen == .waiting(.wait, isCancelling: false))
        #expect(!JuiceModel.atLogin.buttons.contains { $0.title == "Sign in with Google" })
        let letters = model.screen.buttons(offering: model.providers).map(\.letter)
        #expect(Set(letters).count == letters.count)
    }

    @Test("A person who signs in with them alone reads nothing about an Apple Account")
    func withoutApple() throws {
        var profile = Profile.johnny
        profile.hasAppleAccount = false
        var model = try model()
        _ = model.handle(.launched)
        #expect(model.handle(.accountFound(profile)) == [])
        let blocks = JuicePage(model) { _ in "14:32" }.blocks.map { "\($0)" }.joined()
        #expect(blocks.contains("another provider"))
        #expect(!blocks.contains("Apple Account") && !blocks.contains("Apple gives"))
        // The upgrade is for an address and a password.
        #expect(!model.buttons.contains(.upgrade))
    }

    @Test("They add a way in, which the list calls by its name")
    func adds() throws {
        let google = try #require(Self.google)
        var model = try model()
        for event in [Event.launched, .accountFound(.johnny), .key(.character("w"))] { _ = model.handle(event) }
        let way = WayIn(
            id: "idn_1", isApple: false, provider: "Google", address: "ann@example.org",
            lastSignInAt: Date(timeIntervalSince1970: 0), isCurrent: false)
        _ = model.handle(.waysInListed([way]))
        // An address can still be added: this is none to sign in with.
        #expect(model.buttons.contains(.addAddress) && model.buttons.contains(.addAt(0, google)))
        let letters = model.buttons.map(\.letter)
        #expect(Set(letters).count == letters.count)
        #expect(model.handle(.key(.character("x"))) == [.changeWaysIn(.addAt(google), password: nil)])
        #expect(listed(way).contains("Google account ann@example.org"))
        let removal = way.removalBlocks { _ in "14:32" }.map { "\($0)" }.joined()
        #expect(removal.contains("Remove Juice in your account at Google, too.") && !removal.contains("password"))
    }
}
