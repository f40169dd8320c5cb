import AccountAPI
import AccountDatabase
import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import StrictJSON
import Testing

@testable import AccountHTTP
@testable import AppleID

/// `Recorded/errors.txt` holds each error with its answer: status, headers, words, the page and the line in the log.
@Suite("Errors on the wire and in the log")
struct RecordedErrorsTests {
    private struct Item: Sendable {
        let name: String
        let error: any Error
    }

    private static let reason = "a reason, as the domain writes it"

    private static var items: [Item] {
        get throws { try domain + apple + bodies + known + others }
    }

    private static var domain: [Item] {
        AccountError.Code.all.map { Item(name: "AccountError \($0)", error: AccountError($0, reason)) }
            + [
                Item(
                    name: "AccountError already_used challenge",
                    error: AccountError(.alreadyUsed, reason, used: .challenge)),
                Item(name: "AccountError already_used nonce", error: AccountError(.alreadyUsed, reason, used: .nonce)),
                Item(name: "AccountError already_used code", error: AccountError(.alreadyUsed, reason, used: .code)),
                Item(
                    name: "AccountError already_used token",
                    error: AccountError(.alreadyUsed, reason, used: .identityToken)),
                Item(
                    name: "AccountError request_invalid field",
                    error: AccountError(.requestInvalid, reason, field: "scope")),
                Item(
                    name: "AccountError rate_limited 90 s",
                    error: AccountError(.rateLimited, reason, retryAfter: .seconds(90))),
                Item(
                    name: "AccountError consent_required with its details",
                    error: AccountError(
                        lacking: Consent.Requirement(purposes: [.contactEmail, .phone], textVersion: "1"))),
                Item(
                    name: "AccountError unavailable overload",
                    error: AccountError(.unavailable, reason, cause: DatabaseOverload())),
            ]
    }

    private static var apple: [Item] {
        let lost = TransportFailure(host: "appleid.apple.com", cause: .answerTimedOut, underlying: CancellationError())
        let malformed = AppleIDError(.malformedAnswer, reason)
        return AppleIDError.Code.Value.allCases.map { value in
            Item(name: "AppleIDError \(value.rawValue)", error: AppleIDError(AppleIDError.Code(value: value), reason))
        } + [
            Item(
                name: "AppleIDError apple_unavailable no answer",
                error: AppleIDError(.appleUnavailable, reason, cause: lost)),
            Item(
                name: "AppleIDError keys_unavailable no answer",
                error: AppleIDError(.keysUnavailable, reason, cause: lost)),
            Item(
                name: "AppleIDError exchange_outcome_unknown malformed answer",
                error: AppleIDError(.exchangeOutcomeUnknown, reason, cause: malformed)),
        ]
    }

    private static var bodies: [Item] {
        get throws {
            let texts = [
                "not JSON": "{", "twice": #"{"a":1,"a":2}"#, "deep": String(repeating: "[", count: 200),
                "null character": #""\u0000""#,
            ]
            struct Shape: Decodable {
                let name: String
                let inner: Inner?
                struct Inner: Decodable { let number: Int }
            }
            let shapes = [
                "missing": "{}", "null": #"{"name":null}"#, "type": #"{"name":1}"#, "inner": #"{"name":"","inner":{}}"#,
                "array": "[]",
            ]
            return try (texts.sorted { $0.key < $1.key } + shapes.sorted { $0.key < $1.key }).map { name, text in
                do {
                    _ = try StrictJSONDecoder().decode(Shape.self, from: Array(text.utf8))
                } catch {
                    return Item(name: "Body \(name)", error: error)
                }
                throw AccountError(.configuration, "this body is no error: \(text)")
            }
        }
    }

    /// Each code of the documentation, as the HTTP side itself refuses.
    private static var known: [Item] {
        get throws {
            let document = try String(contentsOf: Recording.root.appending(path: "Docs/errors.md"), encoding: .utf8)
            return try document.matches(of: #/\| `(?<code>\w+)` \| \d{3} \|/#).map { String($0.code) }.sorted().map {
                code in
                Item(
                    name: "HTTPFailure \(code)",
                    error: try HTTPFailure(#require(ErrorCode.Known(rawValue: code)), "A sentence."))
            }
        }
    }

    private static var others: [Item] {
        struct Surprise: Error {}
        return [
            Item(name: "Surprise", error: Surprise()), Item(name: "CancellationError", error: CancellationError()),
            Item(name: "HTTPError 404", error: HTTPError(.notFound)),
            Item(name: "HTTPError 413", error: HTTPError(.contentTooLarge)),
            Item(name: "HTTPError 400", error: HTTPError(.badRequest)),
            Item(name: "HTTPError 500", error: HTTPError(.internalServerError)),
            Item(name: "too many requests", error: HTTPFailure.tooManyRequests(.milliseconds(61_500))),
            Item(name: "invalid request", error: HTTPFailure.invalidRequest("return", "is not a path of this site")),
        ]
    }

    @Test("Status, headers, messages, page and log line are those recorded")
    func same() async throws {
        var recorder = InMemoryLogHandler()
        recorder.logLevel = .trace
        let handler = recorder
        let logger = Logger(label: "test") { _ in handler }
        let items = try Self.items
        let router = try Router.failing(items.map(\.error))
        try await Application(router: router, logger: logger).test(.router) { base in
            let client = TestClient(base: base)
            var text = ""
            for (number, item) in items.enumerated() {
                let answer = try await client.send(.get, "/errors/\(number)")
                let page = try await client.page("/errors/\(number)")
                let id = answer.header("X-Request-ID")
                let line = handler.entries.first { $0.metadata["hb.request.id"]?.description == id }
                let error = try answer.decode(ErrorEnvelope.self).error
                text += item.name + "\n  \(answer.status.code) \(error.code): \(error.message)\n"
                if let headers = Self.headers(of: answer) { text += "  headers: \(headers)\n" }
                if let details = Self.details(error.details) { text += "  details: \(details)\n" }
                text += "  page: \(page.status.code) \(Self.words(of: page.text))\n"
                text +=
                    "  log: \(line?.level.rawValue ?? "none") \(line?.message.description ?? ""): \(Self.keys(line))\n"
            }
            try Recording.expect("errors", text)
        }
    }

    private static func headers(of answer: TestResponse) -> String? {
        let headers = [HTTPField.Name.wwwAuthenticate, .retryAfter, .allow, .connection].compactMap { name in
            answer.headers[name].map { "\(name.canonicalName) = \($0)" }
        }
        return headers.isEmpty ? nil : headers.joined(separator: ", ")
    }

    private static func details(_ details: ErrorDetails?) -> String? {
        switch details {
        case .invalidRequest(let field): "field = \(field.field ?? "null")"
        case .rateLimited(let delay): "retryAfter = \(delay.retryAfter)"
        case .passwordRefused(let refusal):
            "reason = \(refusal.reason.rawValue), minimumLength = \(refusal.minimumLength)"
        case .consentRequired(let consent):
            "purposes = \(consent.purposes.map(\.rawValue).joined(separator: " ")), textVersion = \(consent.textVersion)"
        case .credentialAlreadyInUse(let conflict): "handle = \(conflict.handle), expiresAt = \(conflict.expiresAt)"
        case .accountMerged(let account): "into = \(account.into)"
        case nil: nil
        }
    }

    /// The text of a page without its markup.
    private static func words(of page: String) -> String {
        let main = page.split(separator: "<main>").last ?? ""
        return main.replacing(/<p class="fine">Request <code>[0-9a-f]{32}<\/code><\/p>/, with: "")
            .replacing(/<a class="button primary" href="(?<path>[^"]*)">/) { "[\($0.path)] " }
            .replacing(/<[^>]*>/, with: "\n").split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
            .joined(separator: " | ")
    }

    private static func keys(_ line: InMemoryLogHandler.Entry?) -> String {
        (line?.metadata.keys.sorted() ?? []).joined(separator: ", ")
    }
}

extension Router<ServiceContext> {
    /// A router whose routes `/errors/0` and so on throw these.
    fileprivate static func failing(_ errors: [any Error]) throws -> Self {
        let router = Self(context: ServiceContext.self)
        router.add(middleware: ResponseHeadersMiddleware(publicURL: try PublicURL(TestService.publicURL)))
        router.add(
            middleware: ErrorMiddleware(
                pages: try PageRenderer(configuration: .juice(), publicURL: PublicURL(TestService.publicURL))))
        for (number, error) in errors.enumerated() {
            router.get("errors/\(number)") { _, _ -> Response in throw error }
        }
        return router
    }
}
