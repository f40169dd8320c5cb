/// One notice of an account (`msg_…`), time-ordered: the `webhook-id`.
public struct AccountNoticeID: ResourceID {
    public static let prefix = "msg_"
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
