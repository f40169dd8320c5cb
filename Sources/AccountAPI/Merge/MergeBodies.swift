/// The body of `POST /v1/account/merge/preview`, which lists what a merge with the account of a conflict moves and loses.
public struct MergePreviewRequest: Hashable, Sendable, Codable {
    /// The handle that the error `credential_already_in_use` brought. The preview doesn't use it.
    public var handle: String

    /// Creates the body of a call.
    public init(handle: String) {
        self.handle = handle
    }
}

/// The response to `POST /v1/account/merge/preview`: what moves, and what is lost. A merge can't be undone.
public struct MergePreviewAnswer: Hashable, Sendable {
    /// The id of the merged account.
    public var from: String
    /// The id of the remaining account, which is the caller's.
    public var into: String
    /// The things that the remaining account gets.
    public var moves: MergeMoves
    /// The things that are gone after the merge.
    public var losses: MergeLosses
    /// The consent that the merge needs. Null if it needs none.
    public var consent: RequiredConsent?
    /// Identifies this preview, for `POST /v1/account/merge`.
    public var plan: String
    /// The time at which the handle expires.
    public var expiresAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(
        from: String, into: String, moves: MergeMoves, losses: MergeLosses, consent: RequiredConsent?, plan: String,
        expiresAt: APITime
    ) {
        self.from = from
        self.into = into
        self.moves = moves
        self.losses = losses
        self.consent = consent
        self.plan = plan
        self.expiresAt = expiresAt
    }
}

extension MergePreviewAnswer: Codable {
    private enum CodingKeys: String, CodingKey {
        case from, into, moves, losses, consent, plan, expiresAt
    }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(from, forKey: .from)
        try container.encode(into, forKey: .into)
        try container.encode(moves, forKey: .moves)
        try container.encode(losses, forKey: .losses)
        try container.encode(consent, forKey: .consent)
        try container.encode(plan, forKey: .plan)
        try container.encode(expiresAt, forKey: .expiresAt)
    }
}

/// The things that an account gets by a merge.
public struct MergeMoves: Hashable, Sendable, Codable {
    /// The identities that open the remaining account from then on, oldest first.
    public var links: [LinkBody]
    /// The parts of the profile that the remaining account lacks: `name`, `contact_email`, `contact_email_change` (the link in
    /// a mail that takes the last change of the contact address back) or `phone`.
    public var profile: [String]
    /// The number of consents that hold, and go on doing so.
    public var consents: Int

    /// Creates a value for the service to send. Clients decode it.
    public init(links: [LinkBody], profile: [String], consents: Int) {
        self.links = links
        self.profile = profile
        self.consents = consents
    }
}

/// The things that are gone after a merge.
public struct MergeLosses: Hashable, Sendable, Codable {
    /// The identities that open no account any more: an account has one email address to sign in with.
    public var links: [LinkBody]
    /// The parts of the profile of which the remaining account has another: `name`, `contact_email`,
    /// `contact_email_change`, `pending_contact_email` or `phone`.
    public var profile: [String]
    /// The number of live sessions of the merged account. They end.
    public var sessions: Int

    /// Creates a value for the service to send. Clients decode it.
    public init(links: [LinkBody], profile: [String], sessions: Int) {
        self.links = links
        self.profile = profile
        self.sessions = sessions
    }
}

/// The body of `POST /v1/account/merge`, which makes one account of two.
public struct MergeRequest: Hashable, Sendable {
    /// The handle that the error `credential_already_in_use` brought.
    public var handle: String
    /// The `plan` of the preview that the person has seen.
    public var plan: String
    /// The person's consent to the text that the preview or the error `consent_required` named. Null if there is none.
    public var consent: ConsentGivenBody?

    /// Creates the body of a call.
    public init(handle: String, plan: String, consent: ConsentGivenBody? = nil) {
        self.handle = handle
        self.plan = plan
        self.consent = consent
    }
}

extension MergeRequest: Codable {
    private enum CodingKeys: String, CodingKey { case handle, plan, consent }

    /// Writes every member. An unknown one is null.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(handle, forKey: .handle)
        try container.encode(plan, forKey: .plan)
        try container.encode(consent, forKey: .consent)
    }
}

/// The response to `POST /v1/account/merge`. The session and its tokens stay as they are.
public struct MergeAnswer: Hashable, Sendable, Codable {
    /// The id of the account that is gone.
    public var from: String
    /// The remaining account, as it is after the merge.
    public var account: AccountBody
    /// The time of the merge.
    public var mergedAt: APITime

    /// Creates a value for the service to send. Clients decode it.
    public init(from: String, account: AccountBody, mergedAt: APITime) {
        self.from = from
        self.account = account
        self.mergedAt = mergedAt
    }
}

/// Two accounts that have become one: `{"from", "into"}`. The `merged` of a webhook.
public struct MergedAccountsBody: Hashable, Sendable, Codable {
    /// The id of the account that is gone.
    public var from: String
    /// The id of the remaining account.
    public var into: String

    /// Creates a value for the service to send. Clients decode it.
    public init(from: String, into: String) {
        self.from = from
        self.into = into
    }
}

/// The `details` of ``ErrorCode/accountMerged``: `{"into"}`.
public struct MergedAccountBody: Hashable, Sendable, Codable {
    /// The id of the account that has taken the place of the session's.
    public var into: String

    /// Creates a value for the service to send. Clients decode it.
    public init(into: String) {
        self.into = into
    }
}
