import AppleID
import Testing

@Suite("Apple's server")
struct AppleServerTests {
    @Test("Apple's endpoints are Apple's")
    func apple() {
        let apple = AppleServer.apple
        #expect(apple.name == "apple")
        #expect(apple.issuer == "https://appleid.apple.com")
        #expect(apple.authorizationURL == "https://appleid.apple.com/auth/authorize")
        #expect(apple.tokenURL == "https://appleid.apple.com/auth/token")
        #expect(apple.revocationURL == "https://appleid.apple.com/auth/revoke")
        #expect(apple.keysURL == "https://appleid.apple.com/auth/keys")
    }

    @Test(
        "An emulator is reached over https, or over http on a loopback address; its issuer is Apple's",
        arguments: [
            "http://127.0.0.1:4010", "http://127.8.9.10", "http://localhost:1", "http://[::1]:4010",
            "https://emulator.example.com",
            "https://10.0.0.1:8443", "https://[fe80::1]",
        ])
    func emulator(url: String) throws {
        for form in [url, url + "/"] {
            let server = try AppleServer.emulator(at: form)
            #expect(server.name == url)
            #expect(server.issuer == "https://appleid.apple.com")
            #expect(server.tokenURL == url + "/auth/token")
        }
    }

    @Test(
        "Any other URL is refused",
        arguments: [
            "", "http://", "https://", "127.0.0.1:4010", "http://example.com", "http://10.0.0.1",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com", "http://127.0.0", "http://127.0.0.256", "http://0.0.0.0", "ftp://127.0.0.1",
            "https://example.com/path", "https://example.com?x", "https://example.com#x", "https://user@example.com",
            "https://user:pw@example.com", "https://example.com:0", "https://example.com:65536", "https://example.com:",
            "https://example.com:+1",
            "https://exa mple.com", "https://example.com//", "HTTPS://example.com", "https://EXAMPLE.com",
            "https://[::1", "https://[]", "https://[::1]x",
            "javascript:alert(1)", "https://exämple.com", "https://example.com\n", "http://127.0.0.+1",
            "http://127...1",
        ])
    func refused(url: String) {
        #expect(throws: AppleIDError(.invalidServerURL, "")) { try AppleServer.emulator(at: url) }
    }
}
