import AppleID
import AppleIDTypes
import Foundation
import Testing

@testable import SiwaDoctor

/// Apple answers many things with status 200 and a page.
@Suite("siwa doctor reads the page where a sign-in begins")
struct AuthorizationPageTests {
    private static let uncertainPages = [
        "", "<html></html>", "<!doctype html><title>Sign in with Apple</title><form></form>",
        "<title>Anmelden</title>Ungültige Web-Weiterleitungs-URL.", "<h1>Access denied</h1> by the proxy",
        // A script that could show any refusal shows none.
        "<Script>const words = {invalid_client: 'Invalid web redirect url'}</SCRIPT ><p>Sign in</p>",
        "<script>invalid_client", "<p>invalid_client</p><p>Invalid web redirect url.</p>",
        // Ours, in Apple's place.
        "<title>Sign in · siwa emulator, not Apple</title>",
    ]

    @Test("a page that is not certain says nothing, of Apple's", arguments: uncertainPages)
    func uncertain(page: String) {
        let answer = AuthorizationPage.read(.good(body: Array(page.utf8)), of: .apple)
        #expect(answer == .none("a page that does not tell"))
    }

    @Test(
        "a refusal that people see is one",
        arguments: [
            ("<h1>invalid_request</h1>Invalid web redirect url.", AppleErrorCode.invalidRequest),
            ("<script>var a</script><style>b{}</style><p>invalid_client</p><script>var b</script>", .invalidClient),
        ])
    func refusal(page: String, code: AppleErrorCode) {
        let answer = AuthorizationPage.read(.good(body: Array(page.utf8)), of: .apple)
        #expect(answer == .refused(code, description: nil))
    }

    @Test("what is no page stays what it is")
    func others() {
        for answer in [AppleAnswer.throttled, .none("x"), .refused(.invalidScope, description: "y")] {
            #expect(AuthorizationPage.read(answer, of: .apple) == answer)
        }
    }

    /// The emulator's own pages are in no doubt: the other tests of the doctor pass through one.
    @Test("a page that is not certain is to be opened, and leaves each cause open", arguments: uncertainPages.prefix(6))
    func open(page: String) async throws {
        var examined = try Examined()
        examined.page = page
        examined.settings.team = "OTHERTEAM1"
        let findings = try await examined.findings()
        let finding = try #require(findings.first { $0.name == "return url" && $0.outcome != .passed })
        #expect(finding.outcome == .skipped)
        #expect(finding.hints.contains { $0.text.contains("/auth/authorize?client_id=com.example.juice.web") })
        #expect(findings.causes(of: Examined.service).contains("client_unknown"), "nothing shows that Apple knows it")
    }

    @Test("a page that says that Apple knows no such client does, and a page about the return URL says the contrary")
    func certain() async throws {
        var examined = try Examined()
        examined.settings.team = "OTHERTEAM1"
        examined.page = "<p>invalid_client</p>"
        #expect(try await examined.findings().causes(of: Examined.service) == ["client_unknown"])
        examined.page = "<p>Invalid web redirect url.</p>"
        #expect(try await !examined.findings().causes(of: Examined.service).contains("client_unknown"))
    }
}
