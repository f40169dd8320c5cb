/// The body of every error response: `{"error": {"code", "message", "requestID", "details"?}}`.
public struct ErrorEnvelope: Hashable, Sendable, Codable {
    /// Code, message and details of the failure.
    public var error: Body

    /// Creates a value for the service to send. Clients decode it.
    public init(_ error: Body) {
        self.error = error
    }

    /// The error in the envelope.
    public struct Body: Hashable, Sendable {
        /// The code, for programs.
        public var code: ErrorCode
        /// A sentence in English for developers. It is not a text to show to people or to rely on.
        public var message: String
        /// The value of the response's `X-Request-ID` header. The server's log has the request under it.
        public var requestID: String
        /// An object whose members depend on the code. Absent with codes that have none.
        public var details: ErrorDetails?

        /// Creates a value for the service to send. Clients decode it.
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

    /// Reads an error. Details of a code that this version doesn't know are left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        code = try container.decode(ErrorCode.self, forKey: .code)
        message = try container.decode(String.self, forKey: .message)
        requestID = try container.decode(String.self, forKey: .requestID)
        switch code {
        case .invalidRequest:
            details = try container.decodeIfPresent(InvalidField.self, forKey: .details).map { .invalidRequest($0) }
        case .rateLimited, .tooBusy:
            details = try container.decodeIfPresent(RetryDelay.self, forKey: .details).map { .rateLimited($0) }
        case .consentRequired:
            details = try container.decodeIfPresent(RequiredConsent.self, forKey: .details)
                .map { .consentRequired($0) }
        case .passwordRefused:
            details = try container.decodeIfPresent(PasswordRefusal.self, forKey: .details)
                .map { .passwordRefused($0) }
        case .credentialAlreadyInUse:
            details = try container.decodeIfPresent(CredentialConflictBody.self, forKey: .details)
                .map { .credentialAlreadyInUse($0) }
        case .accountMerged:
            details = try container.decodeIfPresent(MergedAccountBody.self, forKey: .details)
                .map { .accountMerged($0) }
        default:
            details = nil
        }
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(message, forKey: .message)
        try container.encode(requestID, forKey: .requestID)
        switch details {
        case .invalidRequest(let field): try container.encode(field, forKey: .details)
        case .rateLimited(let delay): try container.encode(delay, forKey: .details)
        case .consentRequired(let consent): try container.encode(consent, forKey: .details)
        case .passwordRefused(let refusal): try container.encode(refusal, forKey: .details)
        case .credentialAlreadyInUse(let conflict): try container.encode(conflict, forKey: .details)
        case .accountMerged(let account): try container.encode(account, forKey: .details)
        case nil: break
        }
    }
}

/// The `details` of an error. The error's code decides which case it is.
@nonexhaustive
public enum ErrorDetails: Hashable, Sendable {
    /// The details of ``ErrorCode/invalidRequest``.
    case invalidRequest(InvalidField)
    /// The details of ``ErrorCode/rateLimited`` and ``ErrorCode/tooBusy``.
    case rateLimited(RetryDelay)
    /// The details of ``ErrorCode/consentRequired``.
    case consentRequired(RequiredConsent)
    /// The details of ``ErrorCode/passwordRefused``.
    case passwordRefused(PasswordRefusal)
    /// The details of ``ErrorCode/credentialAlreadyInUse``, from `POST /v1/link/apple`.
    case credentialAlreadyInUse(CredentialConflictBody)
    /// The details of ``ErrorCode/accountMerged``.
    case accountMerged(MergedAccountBody)
}

/// The part of a request that is invalid: `{"field"}`.
public struct InvalidField: Hashable, Sendable {
    /// The member, form field or query parameter. Dots join the members of members (`fullName.givenName`). Null for the
    /// body as a whole.
    public var field: String?

    /// Creates a value for the service to send. Clients decode it.
    public init(field: String?) {
        self.field = field
    }
}

extension InvalidField: Codable {
    private enum CodingKeys: String, CodingKey {
        case field
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(field, forKey: .field)
    }
}

/// The time to wait before the next request: `{"retryAfter"}`.
public struct RetryDelay: Hashable, Sendable, Codable {
    /// The whole seconds to wait, as in the `Retry-After` header.
    public var retryAfter: Int

    /// Creates a value for the service to send. Clients decode it.
    public init(retryAfter: Int) {
        self.retryAfter = retryAfter
    }
}
