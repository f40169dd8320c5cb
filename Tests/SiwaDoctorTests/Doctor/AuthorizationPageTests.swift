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

    @Test("an unclear page says nothing about the client", arguments: uncertainPages)
    func uncertain(page: String) {
        let answer = AuthorizationPage.read(.good(body: Array(page.utf8)), of: .apple)
        #expect(answer == .none("a page that does not tell"))
    }

    @Test(
        "an error that people see on a page is a refusal",
        arguments: [
            ("<h1>invalid_request</h1>Invalid web redirect url.", AppleErrorCode.invalidRequest),
            ("<script>var a</script><style>b{}</style><p>invalid_client</p><script>var b</script>", .invalidClient),
        ])
    func refusal(page: String, code: AppleErrorCode) {
        let answer = AuthorizationPage.read(.good(body: Array(page.utf8)), of: .apple)
        #expect(answer == .refused(code, description: nil))
    }

    @Test("other answers aren't changed")
    func others() {
        for answer in [AppleAnswer.throttled, .none("x"), .refused(.invalidScope, description: "y")] {
            #expect(AuthorizationPage.read(answer, of: .apple) == answer)
        }
    }

    /// The emulator's own pages are in no doubt: the other tests of the doctor pass through one.
    @Test(
        "an unclear page leaves each cause possible, and the hint says to open it", arguments: uncertainPages.prefix(6))
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

    @Test("an unknown client on a page is the cause, and an error about the return URL rules it out")
    func certain() async throws {
        var examined = try Examined()
        examined.settings.team = "OTHERTEAM1"
        examined.page = "<p>invalid_client</p>"
        #expect(try await examined.findings().causes(of: Examined.service) == ["client_unknown"])
        examined.page = "<p>Invalid web redirect url.</p>"
        #expect(try await !examined.findings().causes(of: Examined.service).contains("client_unknown"))
    }
}
