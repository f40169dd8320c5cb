import Foundation
import Testing

@testable import AccountConnection

@Suite("The URL of an account service", .timeLimit(.minutes(2)))
struct BackendURLTests {
    @Test(
        "https is accepted anywhere, and http on this machine",
        arguments: [
            "https://accounts.example.com", "https://accounts.example.com/", "https://example.com/accounts",
            "HTTPS://example.com:8443", "http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost:8080",
        ])
    func good(url: String) throws {
        #expect(BackendURL.fault(of: try #require(URL(string: url))) == nil)
    }

    @Test(
        "Any other URL is refused, and the message says what is wrong",
        arguments: [
            "http://example.com", "http://192.168.1.2:8080", "http://localhost.example.com", "http://127.0.0.1.nip.io",
            "ws://example.com", "file:///tmp/x", "example.com", "/accounts", "https://", "https://a:b@example.com",
            "https://example.com/?x=1", "https://example.com/#x",
        ])
    func bad(url: String) throws {
        let fault = BackendURL.fault(of: try #require(URL(string: url)))
        #expect(fault?.contains("backend") == true)
    }
}
