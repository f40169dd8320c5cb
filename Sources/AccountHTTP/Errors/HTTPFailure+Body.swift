import AccountAPI
import StrictJSON

extension HTTPFailure {
    /// What is no JSON, and where.
    init(_ error: StrictJSONError) {
        if error.code == .tooLarge {
            self.init(.bodyTooLarge, "The body is too large.", cause: error)
            return
        }
        let problem =
            switch error.code {
            case .duplicateMember: "a member occurs twice"
            case .tooDeep: "it is nested too deeply"
            case .invalidUTF8: "it is not UTF-8"
            case .nullCharacter: "it holds U+0000"
            case .malformed, .tooLarge: "it is not JSON"
            }
        self.init(.malformedJSON, "The body cannot be read: \(problem) (at byte \(error.offset)).", cause: error)
    }

    /// JSON of another shape. Only names of members are told on, no values.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self = .invalidRequest(Self.field(context.codingPath + [key]), "is missing", cause: error)
        case .valueNotFound(_, let context):
            self = .invalidRequest(Self.field(context.codingPath), "must not be null", cause: error)
        case .typeMismatch(_, let context):
            self = .invalidRequest(Self.field(context.codingPath), "has the wrong type", cause: error)
        case .dataCorrupted(let context):
            self = .invalidRequest(Self.field(context.codingPath), "has a value that is not taken", cause: error)
        @unknown default:
            self = .invalidRequest(nil, "has another shape than expected", cause: error)
        }
    }

    private static func field(_ path: [any CodingKey]) -> String? {
        path.isEmpty ? nil : path.map(\.stringValue).joined(separator: ".")
    }
}
