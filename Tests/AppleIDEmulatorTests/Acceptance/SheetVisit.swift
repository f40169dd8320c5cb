import Foundation
import HTTPTypes
import Testing

@testable import AppleIDEmulator

/// A person with a browser: follows pages by their forms alone, so that no address or hidden field is known here.
struct SheetVisit {
    /// The values that arrive at the client's redirect URI.
    struct Return {
        let address: String
        let fields: [String: String]
        /// Whether the answer came in a form, and not in the address.
        let isPosted: Bool

        subscript(_ name: String) -> String? { fields[name] }
    }

    let emulator: TestEmulator
    var person = "Johnny Appleseed"
    /// The label of the button that ends the visit.
    var decision = "Continue"
    /// The values to fill in or choose, by the field's name; other fields stay as the page proposes them.
    var entries: [String: String] = [:]

    /// From the authorize address to the client's; fails where the pages lead nowhere.
    func walk(_ path: String) async throws -> Return {
        var cookies: [String: String] = [:]
        var answer = try await send(.get, path, &cookies)
        for _ in 0..<12 {
            if (300..<400).contains(answer.status) {
                let target = try #require(answer.headers[.location])
                guard let own = ownPath(target) else { return try Self.arrived(target) }
                answer = try await send(.get, own, &cookies)
                continue
            }
            try #require(answer.status == 200, "\(answer.text)")
            let forms = PageForm.all(in: answer.text)
            if let away = forms.first(where: { ownPath($0.action) == nil }) {
                return Return(address: away.action, fields: away.values(entries: [:]), isPosted: away.isPost)
            }
            let (form, button) = try #require(choice(forms), "no way on: \(answer.text)")
            var fields = form.values(entries: entries)
            if let name = button.name { fields[name] = button.value }
            let target = try #require(ownPath(form.action))
            let text = TestEmulator.encoded(fields.sorted { $0.key < $1.key })
            answer =
                form.isPost
                ? try await send(.post, target, &cookies, body: text)
                : try await send(.get, target + "?" + text, &cookies)
        }
        throw Lost()
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ cookies: inout [String: String], body: String = ""
    ) async throws -> TestEmulator.Answer {
        var headers = ["cookie": cookies.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ")]
        if cookies.isEmpty { headers = [:] }
        if method == .post { headers["content-type"] = "application/x-www-form-urlencoded" }
        let answer = try await emulator.send(method, path, headers: headers, body: Array(body.utf8))
        for text in answer.headers[values: .setCookie] {
            let pair = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).map(String.init)
            cookies[try #require(pair.first)] = pair.count > 1 ? pair[1] : ""
        }
        return answer
    }

    struct Lost: Error {}

    /// Cancel wherever it is offered, if that is the aim; else oneself, else the decision, else whatever leads on.
    private func choice(_ forms: [PageForm]) -> (PageForm, PageForm.Button)? {
        let all = forms.flatMap { form in form.buttons.map { (form, $0) } }
        let tests: [(PageForm.Button) -> Bool] = [
            { decision == "Cancel" && $0.text == "Cancel" }, { $0.text.contains(person) }, { $0.text == decision },
            { $0.text != "Cancel" },
        ]
        for test in tests {
            if let found = all.first(where: { test($0.1) }) { return found }
        }
        return nil
    }

    /// Path and query of an address of the emulator's; nil for anybody else's.
    private func ownPath(_ address: String) -> String? {
        if address.hasPrefix("/") { return address }
        let base = emulator.emulator.portal.baseURL
        return address.hasPrefix(base + "/") ? String(address.dropFirst(base.count)) : nil
    }

    private static func arrived(_ target: String) throws -> Return {
        let parts = try #require(URLComponents(string: target))
        let text = parts.percentEncodedFragment ?? parts.percentEncodedQuery ?? ""
        var form = URLComponents()
        form.percentEncodedQuery = text
        let pairs = (form.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return Return(
            address: String(target.prefix { $0 != "?" && $0 != "#" }),
            fields: Dictionary(pairs, uniquingKeysWith: { first, _ in first }), isPosted: false)
    }
}
