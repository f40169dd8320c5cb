import AppleID
import AppleIDTypes

/// The three questions whose answers tell what Apple thinks of a configuration.
struct AppleQuestions: Sendable {
    /// No code of Apple's looks like it.
    private static let code = "siwa-doctor-this-code-is-not-good"

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

    /// Redeems a code that cannot be good: `invalid_grant` says that client and secret are.
    ///
    /// Without a redirect URI, which Apple's list of errors names under `invalid_client` too: so it cannot be the
    /// cause.
    func redeem(client: ClientID, secret: String) async -> AppleAnswer {
        await ask(
            .post(
                server.tokenURL,
                form: [
                    ("client_id", client.rawValue), ("client_secret", secret), ("code", Self.code),
                    ("grant_type", GrantType.authorizationCode.rawValue),
                ]))
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
