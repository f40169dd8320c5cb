import AccountService
import Foundation
import Testing

@testable import AccountHTTP

@Suite("The signature and address of a webhook")
struct WebhookSignatureTests {
    @Test("is that of Standard Webhooks' own example")
    func example() throws {
        let secrets = try WebhookSecrets(parsing: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let signature = secrets.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test("is there for each secret, in their order")
    func several() throws {
        let texts = [UInt8(1), 2].map { "whsec_" + Data(repeating: $0, count: 24).base64EncodedString() }
        let each = try texts.map { try WebhookSecrets(parsing: $0).signature(id: "a", timestamp: 1, body: [1]) }
        for separator in [",", "\n", " , "] {
            let both = try WebhookSecrets(parsing: texts.joined(separator: separator) + "\n")
            #expect(both.signature(id: "a", timestamp: 1, body: [1]) == each.joined(separator: " "))
        }
    }

    @Test(
        "needs valid secrets, and an error quotes none",
        arguments: [
            "", "whsec_", "whsec_c2hvcnQ=", "whsec_!!!!", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "whsec_" + String(repeating: "A", count: 88),
            Array(repeating: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", count: 6).joined(separator: ","),
        ])
    func bad(_ text: String) {
        let error = #expect(throws: AccountError(.configuration, "")) { try WebhookSecrets(parsing: text) }
        #expect(error?.reason.contains("c2hv") == false && error?.reason.contains("MfKQ") == false)
    }

    @Test("has secrets whose description is redacted")
    func redacted() throws {
        let secrets = try WebhookSecrets(parsing: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        #expect("\(secrets) \(String(reflecting: secrets))" == "WebhookSecrets(redacted) WebhookSecrets(redacted)")
    }

    @Test(
        "is sent to https, or to this machine",
        arguments: [
            ("https://backend.example.com/hooks?from=siwa", true), ("https://Backend.example.com:8443/", true),
            ("https://backend.example.com", true), ("http://127.0.0.1:8080/hooks", true),
            ("http://localhost/hooks", true), ("http://[::1]:1/", true), ("http://backend.example.com/", false),
            ("https://user:pass@backend.example.com/", false), ("https://backend.example.com/#here", false),
            ("https:///hooks", false), ("backend.example.com/hooks", false), ("ftp://backend.example.com/", false),
            ("https://backend.example.com/a b", false), ("https://bäckend.example.com/", false),
            ("http://127.0.0.1.example.com/", false), ("https://example.com\\@evil.example/", false), ("", false),
        ])
    func address(_ text: String, isGood: Bool) {
        #expect(((try? WebhookURL(text)) != nil) == isGood)
    }
}
