import AccountHTTP
import AccountService
import AppleID
import AppleIDTesting
import Crypto
import Foundation
import TaskSignals
import Testing

/// Sends mail in the guide's example.
private final class Mail: Sendable {
    private let sent = Lock<[AccountID]>([])

    var welcomed: [AccountID] { sent.withLock { $0 } }

    func welcome(_ account: AccountID) async throws {
        sent.withLock { $0.append(account) }
    }
}

/// The code of Docs/webhooks.md, between the markers.
private enum WebhookGuide {
    static func check(
        id: String, timestamp: String, signatures: String, body: Data, secret: String, now: Date
    ) -> Bool {
        // guide
        func isGenuine(
            id: String, timestamp: String, signatures: String, body: Data, secret: String, now: Date = Date()
        ) -> Bool {
            guard let seconds = Int64(timestamp), abs(Double(seconds) - now.timeIntervalSince1970) <= 300,
                let key = Data(base64Encoded: String(secret.dropFirst("whsec_".count)))
            else { return false }
            let signed = Data("\(id).\(timestamp).".utf8) + body
            return signatures.split(separator: " ").contains { signature in
                guard signature.hasPrefix("v1,"), let code = Data(base64Encoded: String(signature.dropFirst(3))) else {
                    return false
                }
                return HMAC<SHA256>.isValidAuthenticationCode(
                    code, authenticating: signed, using: SymmetricKey(data: key))
            }
        }
        // end
        return isGenuine(id: id, timestamp: timestamp, signatures: signatures, body: body, secret: secret, now: now)
    }

    static func hook(_ outgoing: Mail) -> InProcessHook {
        // guide
        let hook = InProcessHook(name: "welcome-mail") { notice in
            guard notice.kind == .accountCreated else { return }
            try await outgoing.welcome(notice.accountID)
        }
        // end
        return hook
    }
}

@Suite("The guide to webhooks")
struct WebhookGuideTests {
    @Test("accepts a genuine message, and no other")
    func verification() {
        let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        func check(
            id: String = "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: String = "1614265330",
            signatures: String = "v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
            body: String = #"{"test": 2432232314}"#, secret: String = secret, late: Double = 0
        ) -> Bool {
            WebhookGuide.check(
                id: id, timestamp: timestamp, signatures: signatures, body: Data(body.utf8), secret: secret,
                now: Date(timeIntervalSince1970: 1_614_265_330 + late))
        }
        #expect(check() && check(late: 300) && check(late: -300))
        #expect(!check(late: 301) && !check(late: -301))
        #expect(!check(id: "msg_2") && !check(timestamp: "1614265331") && !check(timestamp: "now"))
        #expect(!check(body: "{}") && !check(signatures: "") && !check(signatures: "v1,") && !check(signatures: "v1"))
        #expect(!check(secret: "whsec_AAAA"))
    }

    @Test("shows a hook that works", arguments: Engine.allCases)
    func hook(on engine: Engine) async throws {
        let mail = Mail()
        let system = try await TestSystem(engine, hooks: [WebhookGuide.hook(mail)])
        let account = try await system.domain.signIn.native(system.device()).account.id
        _ = try await system.domain.notifications.receive(system.notification("email-disabled"))
        try await system.domain.hookDelivery.drain()
        #expect(mail.welcomed == [account])
    }
}
