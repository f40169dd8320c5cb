import HTTPTypes
import Testing

@testable import AppleIDEmulator

/// A browser's requests, without a browser.
extension TestEmulator {
    /// An authorization under way; answers the name that its pages know it by.
    func begin(_ changes: [String: String?] = [:]) async throws -> String {
        let page = try await get(TestEmulator.authorizePath(changes))
        #expect(page.status == 200, "\(page.text)")
        return try page.requestID
    }

    func sheet(_ id: String, _ person: String, cookie: String? = nil) async throws -> Answer {
        try await get(
            "/auth/authorize/sheet?request=\(id)&person=\(person)", headers: cookie.map { ["cookie": $0] } ?? [:])
    }

    /// Continue, unless the fields say something else.
    func decide(_ id: String, _ fields: [String: String] = [:], cookie: String? = nil) async throws -> Answer {
        let form = ["request": id, "person": "johnny", "decision": "continue"].merging(fields) { _, new in new }
        return try await post("/auth/authorize/decision", form, cookie: cookie)
    }

    func post(_ path: String, _ form: [String: String], cookie: String? = nil) async throws -> Answer {
        var headers = [
            "content-type": "application/x-www-form-urlencoded", "origin": "http://127.0.0.1:4010",
            "sec-fetch-site": "same-origin",
        ]
        headers["cookie"] = cookie
        return try await send(
            .post, path, headers: headers, body: Array(Self.encoded(form.sorted { $0.key < $1.key }).utf8))
    }
}

extension TestEmulator.Answer {
    /// The name under which a page knows the authorization under way.
    var requestID: String {
        get throws { String(try #require(text.firstMatch(of: /name="request" value="([^"]+)"/)).1) }
    }

    var hiddenFields: [String: String] {
        var fields: [String: String] = [:]
        for match in text.matches(of: /<input type="hidden" name="([^"]*)" value="([^"]*)">/) {
            let value = String(match.2).replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
            fields[String(match.1)] = value
        }
        return fields
    }

    /// The cookie that a browser would send back.
    var cookie: String? { headers[.setCookie].map { String($0.prefix { $0 != ";" }) } }
}
