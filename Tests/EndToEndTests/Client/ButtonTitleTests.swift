import AccountHTTP
import OpenAuthenticationServices
import Testing

/// The page and the client library must not import each other, so the same words stand in both.
@Suite("Apple's button", .timeLimit(.minutes(2)))
struct ButtonTitleTests {
    @Test("says on the service's page what Apple's client API calls it")
    func titles() {
        let pages = Set(AppleButton.Title.allCases.map(\.text))
        let client = Set(ASAuthorizationAppleIDButton.ButtonType.allCases.map(\.title))
        #expect(pages == client)
    }
}
