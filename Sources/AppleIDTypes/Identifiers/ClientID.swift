/// Who asks Apple: the bundle identifier of an app, or a Services ID for the web. Case-sensitive, without team prefix.
///
/// It is the `client_id` of requests and the `aud` of tokens.
public struct ClientID: AppleWord {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
