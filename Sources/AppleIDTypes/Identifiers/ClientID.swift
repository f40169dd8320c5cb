/// Who asks Apple: the bundle identifier of an app, or a Services ID for the web. Case-sensitive, without team prefix.
///
/// It is the `client_id` of requests and the `aud` of tokens.
public struct ClientID: AppleWord {
    /// As Apple spells it.
    public let rawValue: String

    /// Not checked: any text is one.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
