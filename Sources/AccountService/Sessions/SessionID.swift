/// One session of an account (`ses_…`), time-ordered.
public struct SessionID: ResourceID {
    public static let prefix = "ses_"
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// What a client sent as such an identifier, or nil when it cannot be one.
    public init?(receivedText text: String) {
        self.init(received: text)
    }
}
