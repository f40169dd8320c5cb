import AccountAPI
import AppleIDTesting
import AppleIDTypes
import Foundation
import FoundationNetworking
import HTTPTypes
import HummingbirdTesting
import NIOCore
import OpenAuthenticationServices
import TaskSignals
import Testing

/// A person at a browser of their own, with its cookies: does what the service's pages ask for.
final class TestBrowser: Sendable {
    /// The person's actions on the way.
    struct Manner: Sendable {
        var person = "johnny"
        /// The person's change of the name that Apple's sheet proposes.
        var name: (first: String, last: String)?
        var hidesEmail = false
        var cancelsAtApple = false
        /// Whether the browser goes to the app in the end, or its last redirect is lost.
        var reachesApp = true
        /// An event between Apple's sheet and the answer to it.
        var beforeReturning: @Sendable () async throws -> Void = {}
    }

    private let system: TestSystem
    private let service: any TestClientProtocol
    private let manner: Lock<Manner>
    private let cookies = Lock([String: String]())
    private let opened = Lock([URL]())
    private let visits = Lock([Task<String, any Error>]())

    init(_ system: TestSystem, _ service: any TestClientProtocol, manner: Manner = Manner()) {
        self.system = system
        self.service = service
        self.manner = Lock(manner)
    }

    /// How a client opens this browser, which then goes its own way, like any program of its own.
    var presenter: BrowserPresenter {
        BrowserPresenter { [self] url in
            let going = Task { try await self.visit(url) }
            visits.withLock { $0.append(going) }
        }
    }

    /// The last page. Fails if the browser could not get there.
    func lastPage() async throws -> String {
        let visit = try #require(visits.withLock { $0 }.last)
        return try await visit.value
    }

    /// Every page that a client opened here.
    var pages: [URL] { opened.withLock { $0 } }

    func change(_ edit: (inout Manner) -> Void) {
        manner.withLock { edit(&$0) }
    }

    /// Opens the page of an authorization, and goes on to Apple, back and to the app.
    @discardableResult
    func visit(_ url: URL) async throws -> String {
        opened.withLock { $0.append(url) }
        let page = try await send(.get, url.path)
        #expect(page.status == .ok)
        let beginning = try await send(.post, try page.form().action, site: "same-origin")
        return try await passApple(beginning)
    }

    /// Presses the link of the last page once more.
    func returnAgain(to url: URL) async throws {
        let back = try await send(.get, url.path + "/return")
        let location = try #require(back.location.flatMap(URL.init))
        let (_, response) = try await URLSession.shared.data(from: location)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    /// Types a device's code, looks at what asks, and allows it.
    func allowDevice(userCode: String, decision: String = "allow") async throws -> String {
        let prompt = try await send(.post, "/device", form: ["code": userCode], site: "same-origin")
        #expect(prompt.status == .ok)
        let form = try prompt.form(action: "/device/" + decision)
        let answer = try await send(.post, form.action, form: form.fields, site: "same-origin")
        if decision == "allow" { try await passApple(answer) }
        return prompt.text
    }

    /// Answers Apple's sheet, brings the answer to the service, and follows its last page.
    /// - Returns: that page.
    @discardableResult
    private func passApple(_ beginning: Page) async throws -> String {
        let manner = manner.withLock { $0 }
        let apple = try #require(beginning.location)
        var request = try TestAuthorizationRequest(location: apple)
        request.person = manner.person
        request.name = manner.name
        request.hidesEmail = manner.hidesEmail
        request.cancels = manner.cancelsAtApple
        let answer = try await system.emulator.authorize(request)
        try await manner.beforeReturning()
        let fields = Dictionary(answer.fields.map { ($0.name, $0.value) }) { first, _ in first }
        let callback = try await send(
            .post, "/sign-in/apple/callback", form: fields, site: "cross-site")
        #expect(callback.status == .seeOther)
        let end = try #require(callback.location)
        let last = try await send(.get, end)
        #expect(last.status == .ok)
        guard let path = last.firstMatch(#/href="(/authorizations/[^"]+/return)"/#) else { return last.text }
        let back = try await send(.get, path)
        guard manner.reachesApp, let location = back.location, let url = URL(string: location) else { return last.text }
        let (_, response) = try await URLSession.shared.data(from: url)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        return last.text
    }

    // MARK: Requests

    struct Page: Sendable {
        let status: HTTPResponse.Status
        let location: String?
        let text: String

        func firstMatch(_ pattern: Regex<(Substring, Substring)>) -> String? {
            text.firstMatch(of: pattern).map { String($0.output.1) }
        }

        /// The first form that posts, or the one with this action, with its hidden fields.
        func form(action: String? = nil) throws -> (action: String, fields: [String: String]) {
            for part in text.components(separatedBy: "<form").dropFirst() {
                let form = part.components(separatedBy: "</form>").first ?? part
                guard let found = form.firstMatch(of: #/action="([^"]+)"/#).map({ String($0.output.1) }),
                    action == nil || action == found
                else { continue }
                var fields: [String: String] = [:]
                for input in form.matches(of: #/<input[^>]*>/#) {
                    let tag = String(input.output)
                    guard let name = tag.firstMatch(of: #/name="([^"]*)"/#),
                        let value = tag.firstMatch(of: #/value="([^"]*)"/#)
                    else { continue }
                    fields[String(name.output.1)] = String(value.output.1)
                }
                return (found, fields)
            }
            throw NoSuchForm(action: action)
        }
    }

    struct NoSuchForm: Error {
        let action: String?
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, form: [String: String]? = nil, site: String? = nil
    ) async throws -> Page {
        var headers: HTTPFields = [.accept: "text/html"]
        let jar = cookies.withLock { $0 }
        headers[.cookie] = jar.isEmpty ? nil : jar.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        if let site, let name = HTTPField.Name("Sec-Fetch-Site") { headers[name] = site }
        var body: ByteBuffer?
        if method == .post {
            headers[.contentType] = "application/x-www-form-urlencoded"
            let pairs = (form ?? [:]).map { "\($0.key.formEncoded)=\($0.value.formEncoded)" }
            body = ByteBuffer(string: pairs.joined(separator: "&"))
        }
        let answer = try await service.execute(uri: path, method: method, headers: headers, body: body)
        for cookie in answer.headers[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            guard let name = pair.first else { continue }
            cookies.withLock { $0[String(name)] = pair.count == 2 ? String(pair[1]) : nil }
        }
        return Page(
            status: answer.status, location: answer.headers[.location], text: String(buffer: answer.body))
    }
}

extension String {
    fileprivate var formEncoded: String {
        addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? self
    }
}
