import AccountAPI
import AccountHTTP
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@Suite("A person allows a device", .eachEngine)
struct DevicePageTests {
    @Test(
        "The field is empty, even if the link has a code",
        arguments: ["/device", "/device?code=BCDF-GHJK", "/device?code=%22%3E", "/device?user_code=BCDFGHJK"])
    func form(path: String) async throws {
        try await withService { client, _ in
            let page = try await client.page(path)
            #expect(page.status == .ok)
            #expect(page.text.contains(#"<input id="code" name="code""#))
            #expect(!page.text.contains("value=") && !page.text.contains("BCDF"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("form-action 'self';") == true)
        }
    }

    @Test("The code may be typed in small letters, with spaces or without a hyphen")
    func forgiving() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let code = try await app.beginOnDevice().userCode
            let letters = code.replacing("-", with: "")
            for typed in [
                code, letters, code.lowercased(), "  \(letters.lowercased()) ", code.replacing("-", with: " "),
                letters.map(String.init).joined(separator: " "), code.replacing("-", with: "–"),
            ] {
                let page = try await app.click("/device", form: "code=\(typed.addingPercentEncoding())")
                #expect(page.status == .ok, "\(typed)")
                #expect(page.text.contains(">\(code)</code>"))
            }
        }
    }

    @Test("Before it is allowed the page names app, place and age, and has asked Apple nothing")
    func confirmation() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let device = try await app.beginOnDevice()
            for (seconds, age) in [(0, "just now"), (60, "a minute ago"), (120, "3 minutes ago")] {
                service.clock.advance(by: .seconds(seconds))
                let page = try await app.click("/device", form: "code=\(device.userCode)")
                #expect(page.status == .ok)
                for text in ["Juice &amp; Co", "unknown", age, "Allow only what you began yourself."] {
                    #expect(page.text.contains(text))
                }
                #expect(page.headers[.setCookie] == nil && page.headers[.location] == nil)
                #expect(
                    page.headers[.contentSecurityPolicy]?.contains("form-action 'self' \(TestService.emulatorURL);")
                        == true)
            }
        }
    }

    @Test("The device waits until the person has allowed it and signed in, and then has its credential once")
    func whole() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let device = try await app.beginOnDevice()
            try await app.redeem(deviceCode: device.deviceCode).expectError(.authorizationPending, 400)
            try await app.redeem(deviceCode: device.deviceCode).expectError(.slowDown, 400)
            let (path, cookie) = try await app.finish(
                try await app.click("/device/allow", form: "code=\(device.userCode)"))
            let page = try await client.page(path, cookies: [cookie])
            #expect(page.status == .ok && page.text.contains("Return to your device"))
            #expect(page.header("Refresh") == nil && !page.text.contains("/return"))
            service.clock.advance(by: .seconds(30))
            let answer = try await app.redeem(deviceCode: device.deviceCode)
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try answer.decode(AuthorizationCredentialBody.self).state == "of-the-app")
            service.clock.advance(by: .seconds(30))
            try await app.redeem(deviceCode: device.deviceCode).expectError(.handleInvalid, 401)
        }
    }

    @Test("Deny and Cancel are both told to the device", arguments: [true, false])
    func denied(onOurPage: Bool) async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let device = try await app.beginOnDevice()
            let form = "code=\(device.userCode)"
            if onOurPage {
                let page = try await app.click("/device/deny", form: form)
                #expect(page.status == .ok && page.text.contains("Denied"))
            } else {
                let (path, cookie) = try await app.finish(try await app.click("/device/allow", form: form), "cancel")
                let page = try await client.page(path, cookies: [cookie])
                #expect(page.text.contains("Sign-in cancelled") && page.header("Refresh") == nil)
            }
            service.clock.advance(by: .seconds(30))
            try await app.redeem(deviceCode: device.deviceCode).expectError(.denied, 403)
            // The code is good no more.
            #expect(try await app.click("/device", form: form).status == .badRequest)
        }
    }

    @Test("The device is told when its ten minutes are over, and the code is refused")
    func expired() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let device = try await app.beginOnDevice()
            service.clock.advance(by: .seconds(601))
            try await app.redeem(deviceCode: device.deviceCode).expectError(.expired, 400)
            let page = try await app.click("/device", form: "code=\(device.userCode)")
            #expect(page.status == .badRequest && page.text.contains("its ten minutes are over"))
        }
    }

    @Test(
        "A wrong code is asked for again, with an explanation, and stays in the field",
        arguments: [
            ("code=BCDF+ghjk", "This code is not known", #"value="BCDF ghjk""#),
            ("code=BCDF%E2%80%91GHJK", "This code is not known", "value=\"BCDF\u{2011}GHJK\""),
            ("code=BCDF%E2%88%92GHJK", "This code is not known", "value=\"BCDF\u{2212}GHJK\""),
            ("code=BCDFGHJ", "A code has eight letters.", #"value="BCDFGHJ""#),
            ("code=", "A code has eight letters.", nil), ("", "A code has eight letters.", nil),
            ("code=%3Cscript%3E", "This code is not known", #"value="&lt;script&gt;""#),
            (
                "code=" + String(repeating: "a", count: 50), "A code has eight letters.",
                #"value="aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa""#
            ),
        ] as [(String, String, String?)])
    func wrong(form: String, problem: String, value: String?) async throws {
        try await withService { client, service in
            for path in ["/device", "/device/allow", "/device/deny"] {
                let page = try await client.post(path, form: form, site: "same-origin")
                #expect(page.status == .badRequest)
                #expect(page.text.contains(#"role="alert">\#(problem)"#))
                #expect(page.text.contains("aria-invalid"))
                #expect(value.map { page.text.contains($0) } ?? !page.text.contains("value="))
                #expect(page.headers[.setCookie] == nil)
            }
        }
    }

    @Test(
        "A form that can't be read, or has no content type, is refused",
        arguments: ["code=a&code=b", "code=%", "code=%ff", "code=%00"])
    func malformed(form: String) async throws {
        try await withService { client, _ in
            let page = try await client.post("/device", form: form, site: "same-origin")
            page.expectErrorPage(400, "We couldn’t read that request")
            let headers: HTTPFields = [.origin: TestService.publicURL]
            try await client.send(.post, "/device", headers, body: ByteBuffer(string: form))
                .expectError(.unsupportedMediaType, 415)
        }
    }

    @Test("After too many wrong codes, a page says how long to wait, and a program gets the seconds")
    func rateLimit() async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let device = try await app.beginOnDevice()
            var page = try await app.click("/device", form: "code=BCDFGHJK")
            var wrong = 1
            while page.status == .badRequest, wrong < 100 {
                page = try await app.click("/device", form: "code=BCDFGHJK")
                wrong += 1
            }
            page.expectErrorPage(429, "Too many attempts")
            // The eleventh: ten may be wrong.
            #expect(wrong == 11)
            let seconds = try #require(page.headers[.retryAfter].flatMap { Int($0) })
            #expect(seconds > 0 && !page.text.contains(#"class="button"#))
            // A right one is not looked at meanwhile, or guessing would pay.
            #expect(try await app.click("/device", form: "code=\(device.userCode)").status == .tooManyRequests)
            let headers: HTTPFields = [
                .contentType: "application/x-www-form-urlencoded", .origin: TestService.publicURL,
            ]
            let error = try await client.send(.post, "/device", headers, body: ByteBuffer(string: "code=BCDFGHJK"))
                .expectError(.rateLimited, 429)
            guard case .rateLimited(let delay) = error.details else {
                Issue.record("\(error)")
                return
            }
            #expect(delay.retryAfter == seconds)
        }
    }

    @Test(
        "A form of another site's does nothing", arguments: ["/device", "/device/allow", "/device/deny"],
        ["cross-site", "same-site", nil])
    func crossSite(path: String, site: String?) async throws {
        try await withService { client, service in
            let app = TestAuthorization(client: client, service: service)
            let device = try await app.beginOnDevice()
            try await client.post(path, form: "code=\(device.userCode)", site: site, origin: "https://evil.example")
                .expectErrorPage(403, "That came from somewhere else")
            #expect(try await app.click("/device", form: "code=\(device.userCode)").status == .ok)
        }
    }

    @Test("The page shows the device's address, and believes a forwarding header only from a trusted proxy")
    func place() async throws {
        for (trusted, expected) in [([], "127.0.0.1"), (["127.0.0.0/8"], "198.51.100.7")] {
            var configuration = AccountHTTPConfiguration.juice()
            configuration.trustedProxies = trusted.compactMap { AddressRange($0) }
            try await withService(configuration, over: .live) { client, service in
                let app = TestAuthorization(client: client, service: service)
                let forwardedFor = try #require(HTTPField.Name("X-Forwarded-For"))
                let json = String(decoding: try JSONEncoder().encode(app.request(nil)), as: UTF8.self)
                let device: DeviceAuthorizationAnswer = try await client.send(
                    .post, "/v1/authorizations", [.contentType: "application/json", forwardedFor: "198.51.100.7"],
                    body: ByteBuffer(string: json)
                ).decode()
                let page = try await app.click("/device", form: "code=\(device.userCode)")
                #expect(page.text.contains(">\(expected)</span>"))
            }
        }
    }
}
