import AppleID
import AppleIDTypes
import StrictJSON

/// The three questions whose answers tell what Apple thinks of a configuration.
struct AppleQuestions: Sendable {
    let server: AppleServer
    let transport: any AppleTransport

    /// The key set, with the answer's own time.
    func keys() async -> (answer: AppleAnswer, date: String?) {
        do {
            let response = try await transport.send(.get(server.keysURL))
            return (AppleAnswer(response), response.headers.first { $0.name.lowercased() == "date" }?.value)
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
            // A page of the edge instead of an answer: the caller says so.
            return false
        }
    }

    /// Begins a sign-in as a browser would, and leaves it there. Needs no secret, so it tells about the Services ID and
    /// its return URLs alone.
    func authorize(client: ClientID, returnURL: String) async -> AppleAnswer {
        await ask(.get(authorizationURL(client: client, returnURL: returnURL)))
    }

    /// For people to open, where the answer does not tell.
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
