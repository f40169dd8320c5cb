import AppleID

/// The effect of a merge of two accounts, before it is done: what moves, and what is lost.
public struct MergePlan: Hashable, Sendable {
    /// A part of a profile, such as the name: each is kept, moved or lost as a whole.
    public struct ProfilePart: RawRepresentable, Hashable, Sendable {
        /// The word that is sent.
        public let rawValue: String

        /// Keeps any word, also one that this version doesn't know.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The person's name.
        public static let name = Self(rawValue: "name")
        /// The contact address that the person confirmed.
        public static let contactEmail = Self(rawValue: "contact_email")
        /// The contact address that waits for its link to be opened.
        public static let pendingContactEmail = Self(rawValue: "pending_contact_email")
        /// The link that takes the last change of the contact address back.
        public static let contactEmailChange = Self(rawValue: "contact_email_change")
        /// The phone number.
        public static let phone = Self(rawValue: "phone")
    }

    /// The things that the remaining account gets.
    public struct Moves: Hashable, Sendable {
        /// The identities that open the remaining account from then on, oldest first.
        public var identities: [LinkedIdentity]
        /// The parts of the profile that the remaining account lacks and gets.
        public var profile: [ProfilePart]
        /// The number of consents that hold, and go on doing so.
        public var consents: Int
    }

    /// The things that go with the merged account.
    public struct Losses: Hashable, Sendable {
        /// The identities that open no account any more, oldest first: an account has one email identity at most.
        public var identities: [LinkedIdentity]
        /// The parts of the profile of which the remaining account has another.
        public var profile: [ProfilePart]
        /// The number of live sessions. They end, because apps know the account by its id.
        public var sessions: Int
    }

    /// The account that is merged. Its id is gone then.
    public var from: AccountID
    /// The remaining account: the one of the session.
    public var into: AccountID
    /// The things that the remaining account gets.
    public var moves: Moves
    /// The things that go with the merged account.
    public var losses: Losses
    /// The consent that the person has to give with the merge; nil where none is needed.
    public var consent: Consent.Requirement?
    /// The identities that join the remaining account by the consent to a linked identity. They go if it is withdrawn.
    var joining: [IdentityID]
    /// The consents to linked identities whose place that consent takes.
    var replacedConsents: [ConsentID]
    /// The consents whose identities are lost.
    var lostConsents: [ConsentID]
    /// Identifies this plan, for the merge.
    public var confirmation: MergeConfirmation
    /// When the handle of the conflict no longer works, and with it the plan.
    public var expiresAt: Timestamp
}

/// Identifies the plan that the person confirmed: a hash of what the plan lists. Another plan has another one, so a merge does
/// what the person has seen or nothing.
public struct MergeConfirmation: RawRepresentable, Hashable, Sendable {
    /// 32 bytes in base64url.
    public let rawValue: String

    /// Takes a text from a client; nil unless it has the form of a confirmation.
    public init?(rawValue: String) {
        guard rawValue.is32BytesInBase64URL else { return nil }
        self.rawValue = rawValue
    }

    /// - Parameter facts: everything that the plan lists.
    init(of facts: [String]) {
        rawValue = Base64URL.text(TokenHash(of: facts.joined(separator: "\n")).bytes)
    }
}

/// Two accounts that have become one.
public struct MergedAccounts: Hashable, Sendable {
    /// The account that is gone.
    public var from: AccountID
    /// The remaining account, as its person sees it.
    public var account: Account
    /// When the accounts were merged.
    public var mergedAt: Timestamp
}
