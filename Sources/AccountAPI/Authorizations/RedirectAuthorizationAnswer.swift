/// The answer to `POST /v1/authorizations` with a redirect URI.
public struct RedirectAuthorizationAnswer: Hashable, Sendable, Codable {
    /// Comes back as `id` in the redirect, by which the app knows which of its requests was answered (`aut_…`).
    public var id: String
    /// A page of this server, to be opened in the person's browser.
    public var url: String
    /// From then on the browser brings an error instead.
    public var expiresAt: APITime

    public init(id: String, url: String, expiresAt: APITime) {
        self.id = id
        self.url = url
        self.expiresAt = expiresAt
    }
}
