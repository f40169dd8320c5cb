/// The response to `DELETE /v1/consents/{id}`: the account without what the consent allowed.
///
/// A consent to ``ConsentBody/Purpose/linkedIdentity`` joined an identity to the account. The withdrawal removes it.
public struct ConsentWithdrawalAnswer: Hashable, Sendable {
    /// The account afterwards.
    public var account: AccountBody
    /// The identity that had joined with the consent, and no longer opens the account. Empty if none had.
    public var unlinked: [LinkBody]
    /// The identity that had joined with the consent and stays, because nobody could sign in without it.
    public var kept: [LinkBody]
    /// Whether the session of this call has ended, because one of ``unlinked`` had opened it.
    public var endsSession: Bool
    /// The steps for the person if the service can't ask Apple to end its authorization. Null if it asks, or if nothing
    /// is left to end.
    public var manualRemoval: ManualRemoval?

    /// Creates a value for the service to send. Clients decode it.
    public init(
        account: AccountBody, unlinked: [LinkBody], kept: [LinkBody], endsSession: Bool, manualRemoval: ManualRemoval?
    ) {
        self.account = account
        self.unlinked = unlinked
        self.kept = kept
        self.endsSession = endsSession
        self.manualRemoval = manualRemoval
    }
}

extension ConsentWithdrawalAnswer: Codable {
    private enum CodingKeys: String, CodingKey { case account, unlinked, kept, endsSession, manualRemoval }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(account, forKey: .account)
        try container.encode(unlinked, forKey: .unlinked)
        try container.encode(kept, forKey: .kept)
        try container.encode(endsSession, forKey: .endsSession)
        try container.encode(manualRemoval, forKey: .manualRemoval)
    }
}
