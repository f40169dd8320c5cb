import AccountAPI
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

/// Requests as apps and browsers make them.
struct TestClient: Sendable {
    let base: any TestClientProtocol

    func send(
        _ method: HTTPRequest.Method, _ uri: String, _ headers: HTTPFields = [:], body: ByteBuffer? = nil
    ) async throws -> TestResponse {
        try await base.execute(uri: uri, method: method, headers: headers, body: body)
    }

    /// A browser's request for a page.
    func page(_ uri: String, cookies: [String] = []) async throws -> TestResponse {
        try await send(.get, uri, Self.browserHeaders(cookies))
    }

    func post(_ uri: String, json: String, token: String? = nil) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.authorization] = token.map { "Bearer \($0)" }
        return try await send(.post, uri, headers, body: ByteBuffer(string: json))
    }

    func post(_ uri: String, json: some Encodable, token: String? = nil) async throws -> TestResponse {
        try await post(uri, json: String(decoding: JSONEncoder().encode(json), as: UTF8.self), token: token)
    }

    /// An app's change of a profile.
    func patch(_ uri: String, json: String, token: String) async throws -> TestResponse {
        let headers: HTTPFields = [.contentType: "application/json", .authorization: "Bearer \(token)"]
        return try await send(.patch, uri, headers, body: ByteBuffer(string: json))
    }

    /// A browser's POST of a form.
    /// - Parameter site: What the browser says in `Sec-Fetch-Site`, if it knows the header.
    func post(
        _ uri: String, form: String, cookies: [String] = [], site: String? = nil, origin: String? = nil
    ) async throws -> TestResponse {
        var headers = Self.browserHeaders(cookies)
        headers[.contentType] = "application/x-www-form-urlencoded"
        headers[.origin] = origin
        if let site, let name = HTTPField.Name("Sec-Fetch-Site") {
            headers[name] = site
        }
        return try await send(.post, uri, headers, body: ByteBuffer(string: form))
    }

    private static func browserHeaders(_ cookies: [String]) -> HTTPFields {
        var headers: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]
        headers[.cookie] = cookies.isEmpty ? nil : cookies.joined(separator: "; ")
        return headers
    }
}

/// The fields of a form, as its body or a query has them.
func formText(_ fields: [(name: String, value: String)]) -> String {
    fields.map { "\($0.name)=\($0.value.addingPercentEncoding())" }.joined(separator: "&")
}

extension TestResponse {
    var text: String { String(buffer: body) }

    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(body.readableBytesView))
    }

    func header(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }

    /// The cookie that this answer sets, as `name=value`.
    func cookie(_ name: String) -> String? {
        headers[values: .setCookie].first { $0.hasPrefix(name + "=") }?.split(separator: ";").first.map(String.init)
    }

    /// Expects an error in the envelope, as programs get it, with all that belongs to one.
    @discardableResult
    func expectError(
        _ code: ErrorCode, _ status: Int, field: String?? = .none, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ErrorEnvelope.Body {
        #expect(self.status.code == status, sourceLocation: sourceLocation)
        #expect(headers[.contentType] == "application/json", sourceLocation: sourceLocation)
        #expect(headers[.cacheControl] == "no-store", sourceLocation: sourceLocation)
        let error = try decode(ErrorEnvelope.self).error
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(error.requestID == header("X-Request-ID"), sourceLocation: sourceLocation)
        #expect(!error.message.isEmpty, sourceLocation: sourceLocation)
        if case .some(let field) = field {
            #expect(error.details == .invalidRequest(InvalidField(field: field)), sourceLocation: sourceLocation)
        }
        return error
    }

    /// Expects an error as a page, as people get it.
    func expectErrorPage(_ status: Int, _ words: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.status.code == status, sourceLocation: sourceLocation)
        #expect(headers[.contentType] == "text/html; charset=utf-8", sourceLocation: sourceLocation)
        #expect(headers[.cacheControl] == "no-store", sourceLocation: sourceLocation)
        #expect(text.contains(words), "\(text)", sourceLocation: sourceLocation)
        #expect(text.contains("<code>\(header("X-Request-ID") ?? "")</code>"), sourceLocation: sourceLocation)
    }
}
