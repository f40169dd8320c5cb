/// The `response_type` of an authorization request.
public struct ResponseType: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A code alone.
    public static let code: Self = "code"
    /// A code and an identity token beside it; the answer must then be a fragment or a form.
    public static let codeIDToken: Self = "code id_token"
}
