/// The answer to `GET /v1/account`.
public struct AccountAnswer: Hashable, Sendable, Codable {
    public var account: AccountBody

    public init(account: AccountBody) {
        self.account = account
    }
}
