/// The body of an answer by which Apple refuses a request: HTTP status 400 and a JSON object.
public struct ErrorResponse: Hashable, Sendable, Codable {
    /// What programs decide by.
    public var error: AppleErrorCode
    /// Undocumented but seen; for people, never for decisions.
    public var errorDescription: String?

    /// The body as whoever refuses writes it.
    public init(_ error: AppleErrorCode, description: String? = nil) {
        self.error = error
        self.errorDescription = description
    }

    private enum CodingKeys: String, CodingKey {
        case error
        case errorDescription = "error_description"
    }
}
