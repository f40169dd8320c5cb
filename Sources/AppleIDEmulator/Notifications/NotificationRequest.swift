/// A `POST` of JSON to an app's notification URL.
public struct NotificationRequest: Hashable, Sendable {
    /// `https`, or `http` to a host that the portal allows it for.
    public let url: String
    /// `{"payload": "…"}` with a signed token.
    public let body: String
}
