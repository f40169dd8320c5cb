/// The body of every answer that is an error: `{"error": {"code", "message", "requestID", "details"?}}`.
public struct ErrorEnvelope: Hashable, Sendable, Codable {
    public var error: Body

    public init(_ error: Body) {
        self.error = error
    }

    public struct Body: Hashable, Sendable {
        /// For programs.
        public var code: ErrorCode
        /// For developers: English, and not a text to show to people or to rely on.
        public var message: String
        /// The value of the answer's `X-Request-ID` header, by which the server's log knows the request.
        public var requestID: String
        /// An object whose members depend on the code; absent with codes that have none.
        public var details: ErrorDetails?

        public init(code: ErrorCode, message: String, requestID: String, details: ErrorDetails? = nil) {
            self.code = code
            self.message = message
            self.requestID = requestID
            self.details = details
        }
    }
}

extension ErrorEnvelope.Body: Codable {
    private enum CodingKeys: String, CodingKey {
        case code, message, requestID, details
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(ErrorCode.self, forKey: .code)
        message = try container.decode(String.self, forKey: .message)
        requestID = try container.decode(String.self, forKey: .requestID)
        switch code {
        case .invalidRequest:
            details = try container.decodeIfPresent(InvalidField.self, forKey: .details).map { .invalidRequest($0) }
        case .rateLimited:
            details = try container.decodeIfPresent(RetryDelay.self, forKey: .details).map { .rateLimited($0) }
        default:
            details = nil
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
        try container.encode(requestID, forKey: .requestID)
        switch details {
        case .invalidRequest(let field): try container.encode(field, forKey: .details)
        case .rateLimited(let delay): try container.encode(delay, forKey: .details)
        case nil: break
        }
    }
}
