import AppleID
import AppleIDTypes
import CommandIO
import Foundation
import HTTPTypes
import StrictJSON

/// The three requests that show whether Apple accepts a configuration.
struct AppleQuestions: Sendable {
    let server: AppleServer
    let transport: any AppleTransport

    /// The key set, with the answer's own time.
    func keys() async -> (answer: AppleAnswer, date: String?) {
        do {
            let response = try await transport.send(.get(server.keysURL))
            return (AppleAnswer(response), response.head.headerFields[values: .date].first)
        } catch {
            return (.none(Self.words(for: error)), nil)
        }
    }

    /// Asks for an access token of the client's own, as for a transfer between teams: Apple gives one to a good client
    /// with a good secret.
    ///
    /// A made-up code or refresh token would tell nothing. Apple looks those up before the client, and answers
    /// `invalid_grant` to a client that doesn't exist too.
    /// - Returns: `.good` only if Apple gave a token.
    func authenticate(client: ClientID, secret: String) async -> AppleAnswer {
        let answer = await ask(
            .post(
                server.tokenURL,
                form: [
                    ("client_id", client.rawValue), ("client_secret", secret),
                    ("grant_type", GrantType.clientCredentials.rawValue), ("scope", Scope.userMigration.rawValue),
                ]))
        guard case .good(let body) = answer else { return answer }
        return Self.hasToken(body) ? answer : .none("status 200 without an access token")
    }

    private static func hasToken(_ body: [UInt8]) -> Bool {
        do {
            return try JSONDocument(body).root["access_token"]?.string?.isEmpty == false
        } catch {
            // The response is a page of Apple's edge. The caller reports it.
            return false
        }
    }

    /// Begins a sign-in as a browser would, and leaves it there. Needs no secret, so it tells about the Services ID and
    /// its return URLs alone.
    func authorize(client: ClientID, returnURL: String) async -> AppleAnswer {
        await ask(.get(authorizationURL(client: client, returnURL: returnURL)))
    }

    /// Returns a URL for people to open, if the answer doesn't tell.
    func authorizationURL(client: ClientID, returnURL: String) -> String {
        server.authorizationURL + "?"
            + PercentEncoding.form([
                ("client_id", client.rawValue), ("redirect_uri", returnURL), ("response_type", "code"),
                ("response_mode", "form_post"), ("scope", "name email"), ("state", "siwa-doctor"),
            ])
    }

    private static func words(for error: any Error) -> String {
        "no answer" + ((error as? TransportFailure).map { " (\($0.cause))" } ?? "")
    }

    private func ask(_ request: AppleRequest) async -> AppleAnswer {
        do {
            return AppleAnswer(try await transport.send(request))
        } catch {
            return .none(Self.words(for: error))
        }
    }
}

/// An answer of one of Apple's endpoints, read for a diagnosis.
enum AppleAnswer: Sendable, Equatable {
    case good(body: [UInt8])
    /// One of Apple's words. The description is undocumented: it is shown and never decides.
    case refused(AppleErrorCode, description: String?)
    case throttled
    /// A proxy before Apple answered, or nobody did.
    case none(String)

    init(_ response: AppleResponse) {
        if response.status == 429 {
            self = .throttled
        } else if response.status == 200 {
            self = .good(body: response.body)
        } else if (400..<500).contains(response.status), let refusal = Self.refusal(in: response.body) {
            self = refusal
        } else {
            self = .none("status \(response.status), and not in Apple's words")
        }
    }

    private static func refusal(in body: [UInt8]) -> Self? {
        do {
            let root = try JSONDocument(body).root
            guard let word = root["error"]?.string, !word.isEmpty else { return nil }
            return .refused(
                AppleErrorCode(TextForPeople.quoted(word, limit: 40)),
                description: root["error_description"]?.string.map { TextForPeople.quoted($0) })
        } catch {
            // The response is a page of Apple's edge. The caller reports it.
            return nil
        }
    }
}

/// Reads the page that answers the beginning of a sign-in.
///
/// Apple shows refusals as pages, perhaps with status 200, perhaps in the language of the reader; its sign-in page is a
/// page, too, like the page that a proxy or Apple's edge shows in its place. So a page counts only if it is beyond
/// doubt.
enum AuthorizationPage {
    /// Words of refusals, each with its error code; people see them.
    private static let refusals: [(words: String, code: AppleErrorCode)] = [
        ("Invalid web redirect url", .invalidRequest), ("invalid_client", .invalidClient),
    ]
    /// A part of the title of each page of our emulator, which shows refusals with another status.
    private static let emulator = "siwa emulator, not Apple"

    /// - Returns: a page that is a refusal as that; a page that begins a sign-in as it was; any other as no answer.
    static func read(_ answer: AppleAnswer, of server: AppleServer) -> AppleAnswer {
        guard case .good(let body) = answer else { return answer }
        let page = shown(String(decoding: body, as: UTF8.self))
        let found = refusals.filter { page.contains($0.words) }
        if found.count == 1 { return .refused(found[0].code, description: nil) }
        guard found.isEmpty, server != .apple, page.contains(emulator) else {
            return .none("a page that does not tell")
        }
        return answer
    }

    /// Returns the page without scripts and styles: among them may be the words for every refusal there is.
    private static func shown(_ page: String) -> String {
        ["script", "style"].reduce(page) { page, element in
            var shown = ""
            var rest = page[...]
            while let start = rest.range(of: "<\(element)", options: .caseInsensitive) {
                shown += rest[..<start.lowerBound]
                guard let end = rest[start.upperBound...].range(of: "</\(element)", options: .caseInsensitive) else {
                    return shown
                }
                rest = rest[end.upperBound...]
            }
            return shown + rest
        }
    }
}
