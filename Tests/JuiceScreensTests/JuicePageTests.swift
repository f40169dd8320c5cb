import AccountClient
import Foundation
import Testing

@testable import JuiceScreens

@Suite("Pages of Juice")
struct JuicePageTests {
    private func page(_ model: JuiceModel) -> JuicePage { JuicePage(model) { _ in "14:32" } }

    @Test("The page has the browser's address only while the person has to see it")
    func webPage() throws {
        let address = try #require(URL(string: "http://localhost:4000/authorizations/aut_1"))
        var model = JuiceModel.atLogin
        _ = model.handle(.pressed(.signIn))
        #expect(page(model).webPage == nil)
        _ = model.handle(.instructed(.browser(address, isOpen: true)))
        #expect(page(model).webPage == address)
        _ = model.handle(.pressed(.cancel))
        #expect(page(model).webPage == nil)
    }

    @Test("An app with views has no button that quits, and no buttons among its words")
    func buttons() {
        for model in [JuiceModel.atLogin, .atResult] {
            #expect(!page(model).buttons.contains(.quit))
            #expect(!page(model).buttons.isEmpty)
            #expect(!page(model).blocks.contains { if case .buttons = $0 { true } else { false } })
        }
    }

    @Test("An app with views has fields for the values of the profile, and no buttons that lead to a terminal's entry")
    func profile() {
        var model = JuiceModel.atResult
        _ = model.handle(.pressed(.profile))
        #expect(page(model).buttons == [.consents, .back])
    }

    @Test("The words are those of the terminal")
    func words() {
        var model = JuiceModel.atResult
        _ = model.handle(.pressed(.delete))
        #expect(page(model).blocks.first == .text("Delete your account?", .title))
    }
}

@Suite("Settings of an app with views")
struct JuiceSettingsTests {
    @Test(
        "A service on this machine is reached through the browser, any other by Apple's sheet",
        arguments: [
            ("https://localhost:4000", true), ("http://localhost:4000", true), ("http://127.0.0.1:4000", true),
            ("http://[::1]:4000", true), ("https://accounts.example.com", false),
            ("https://localhost.example.com", false),
        ])
    func way(_ backend: String, _ isBrowser: Bool) throws {
        #expect(try JuiceSettings(info: ["JuiceBackend": backend]).signsInByBrowser == isBrowser)
    }

    @Test("The app is juice unless a setting names another, and providers have ids and names")
    func members() throws {
        let plain = try JuiceSettings(info: ["JuiceBackend": "https://a.example", "JuiceApp": "", "JuiceProviders": ""])
        #expect(plain.app == "juice" && plain.providers.isEmpty)
        let full = try JuiceSettings(
            info: ["JuiceBackend": "https://a.example", "JuiceApp": "cider", "JuiceProviders": "google=Google staff"])
        #expect(full.app == "cider")
        #expect(full.providers.map(\.name) == ["Google", "Staff"])
    }

    @Test(
        "A mistake says which setting is wrong",
        arguments: [
            ([:], JuiceSettingsError.backendMissing), (["JuiceBackend": ""], .backendMissing),
            (["JuiceBackend": "accounts.example.com"], .backendMalformed("accounts.example.com")),
            // An xcconfig file leaves this of a web address, because two slashes begin a comment.
            (["JuiceBackend": "https:"], .backendMalformed("https:")),
            (["JuiceBackend": "https://a.example", "JuiceProviders": "=x"], .providerMalformed("=x")),
        ] as [([String: String], JuiceSettingsError)])
    func mistakes(_ info: [String: String], _ error: JuiceSettingsError) {
        #expect(throws: error) { try JuiceSettings(info: info) }
        #expect(error.description.contains("JUICE_"))
    }
}
