public import AppleIDTypes

/// Delivers mail: `SMTPSender` of `AccountMail`, or an embedding program's own way.
///
/// The service hands over one mail at a time from a queue in its database, and decides from the answer whether it tries
/// again. A mail may come more than once, for example after a crash: its ``Mail/id`` is then the same.
public protocol MailSender: Sendable {
    /// Tries to deliver a mail once. It ends soon when its task is cancelled, which happens after
    /// ``MailSettings/timeLimit`` and when the server stops.
    func send(_ mail: Mail) async -> MailAnswer
}

/// A mail to one person, as facts: the sender makes a text of them, in the best of the person's languages.
public struct Mail: Sendable, Redacted {
    /// The subject that a mail is about. Later versions may add kinds.
    ///
    /// Each kind has its own ``Mail/values``, beside `serviceName` and `serviceURL`, which every mail has:
    ///
    /// | kind | values |
    /// |---|---|
    /// | `verify_address` | `address`: the address that is to be confirmed; `link` |
    /// | `address_changed` | `address`: the new address, absent where it was removed; `happenedAt`; `link`: takes it back |
    /// | `new_device` | `device` and `network`, each absent where it is unknown; `happenedAt`; `link`: ends the session; `leftOut` |
    /// | `deletion_begun`, `deletion_done` | `happenedAt`: when the account was deleted |
    /// | `sign_up`, `sign_in_link`, `password_reset`, `link_address` | `link`: good once, for a quarter of an hour |
    /// | `account_exists` | `way`: how the person signs in: `password`, `link`, `apple`, `provider`, or `other` for another address; `provider`: the name of another provider than Apple, absent for the other ways; `link`: the page for it; `addsToAccount`: `true` if somebody wanted to add the address to another account |
    /// | `no_account` | `link`: the page that makes an account |
    /// | `password_changed` | `happenedAt` |
    /// | `password_off` | `happenedAt`; `link`: the page that asks for a new password |
    /// | `upgraded` | `address`: the one that no longer signs in; `happenedAt` |
    /// | `linked`, `unlinked` | `way`: `apple`, `email` or the id of another provider; `provider`: the name of the other provider, absent for the other ways; `address`: its address, absent where it is unknown; `happenedAt`; `link` to the page with the ways in, absent without such a page |
    /// | `two_accounts` | `address`: the one that both accounts have; `link`: the page with the ways in to an account, absent without such a page |
    /// | `merged` | `happenedAt`; `link`: the page with the ways in, absent without such a page; `address`: the one that no longer signs in, absent for none |
    /// | `announcement` | `subject`, `text` |
    /// | `test` | none |
    ///
    /// `happenedAt` is a time by RFC 3339 in UTC. `network` is the network address that the request came from. `leftOut` is the
    /// number of further new devices that got no mail of their own, and absent for none.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The word that is stored and measured.
        public let rawValue: String

        /// Keeps any word, also one that this version doesn't know.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Asks the owner of an address to confirm it.
        public static let verifyAddress = Self(rawValue: "verify_address")
        /// Tells the former address that the contact address was changed, with a link that takes the change back.
        public static let addressChanged = Self(rawValue: "address_changed")
        /// Tells of a sign-in on a device that the account did not have, with a link that ends the session.
        public static let newDevice = Self(rawValue: "new_device")
        /// Tells that the account is deleted, and that Apple is being asked to end its authorization.
        public static let deletionBegun = Self(rawValue: "deletion_begun")
        /// Tells that the account is deleted, and that nothing is left to do.
        public static let deletionDone = Self(rawValue: "deletion_done")
        /// Has the link that finishes a sign-up with a password.
        public static let signUp = Self(rawValue: "sign_up")
        /// Has the link that signs the person in.
        public static let signInLink = Self(rawValue: "sign_in_link")
        /// Has the link with which the person sets a new password.
        public static let passwordReset = Self(rawValue: "password_reset")
        /// Tells somebody who asked for a link that their address has an account, and how they sign in to it.
        public static let accountExists = Self(rawValue: "account_exists")
        /// Tells somebody who asked for a new password that their address has no account.
        public static let noAccount = Self(rawValue: "no_account")
        /// Tells that the password was changed, or reset.
        public static let passwordChanged = Self(rawValue: "password_changed")
        /// Tells that the password was wrong too often and is off until it is reset.
        public static let passwordOff = Self(rawValue: "password_off")
        /// Tells the address that no longer signs in that the account signs in with Apple from now on.
        public static let upgraded = Self(rawValue: "upgraded")
        /// Has the link that adds the address to an account.
        public static let linkAddress = Self(rawValue: "link_address")
        /// Tells that the account has one more way in.
        public static let linked = Self(rawValue: "linked")
        /// Tells that the account has lost a way in.
        public static let unlinked = Self(rawValue: "unlinked")
        /// Tells that two accounts have the address.
        public static let twoAccounts = Self(rawValue: "two_accounts")
        /// Tells that two accounts have become one.
        public static let merged = Self(rawValue: "merged")
        /// A word of the service's team to its people.
        public static let announcement = Self(rawValue: "announcement")
        /// Shows an operator that mail arrives.
        public static let test = Self(rawValue: "test")

        /// The kinds that this version sends. It leaves a mail of another kind to a server of a newer version on the same
        /// database. The statement that takes mails from the queue has the same list.
        package static let all: [Self] = [
            .verifyAddress, .addressChanged, .newDevice, .deletionBegun, .deletionDone, .signUp, .signInLink,
            .passwordReset, .accountExists, .noAccount, .passwordChanged, .passwordOff, .upgraded, .linkAddress,
            .linked, .unlinked, .twoAccounts, .merged, .announcement, .test,
        ]
    }

    /// The identifier, the same at each attempt. A `Message-ID` that is made of it shows a repeat.
    public var id: MailID
    /// The subject that the mail is about.
    public var kind: Kind
    /// The address of the person: one that they confirmed, Apple's, or one that they typed and are to confirm.
    public var recipient: String
    /// Whether the recipient is an address of Apple's private relay, which takes mail from registered senders alone.
    public var isRelayAddress: Bool
    /// The person's languages (BCP 47), the favorite first. Without a text in one of them, the default language counts.
    public var languages: [String]
    /// The facts that the text shows, by name; ``Kind`` lists them.
    public var values: [String: String]
    /// When the mail was put into the queue.
    public var createdAt: Timestamp

    /// Makes a mail.
    /// - Parameters:
    ///   - id: The same for each attempt to deliver the mail.
    ///   - languages: BCP 47, the favorite first; an empty list takes the default.
    ///   - values: The facts that ``Kind`` lists for the kind.
    public init(
        id: MailID, kind: Kind, recipient: String, isRelayAddress: Bool, languages: [String] = [],
        values: [String: String], createdAt: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.recipient = recipient
        self.isRelayAddress = isRelayAddress
        self.languages = languages
        self.values = values
        self.createdAt = createdAt
    }
}

/// The outcome of one attempt to deliver a mail.
///
/// A failure is a fixed word without personal data, such as `connection_failed` or `smtp_550_5.1.1`: it is stored, logged
/// and shown to operators. A text that is no such word becomes `other`.
public enum MailAnswer: Hashable, Sendable {
    /// The mail server has taken the mail, which is not sent again.
    case delivered
    /// The mail is tried again later, less and less often, and parked after three days.
    case postponed(failure: String)
    /// Apple's relay forwards nothing to this person now, or has no room for them today. The mail is held for 30 days at
    /// most: it is tried once a day, and when Apple says that it forwards again.
    case held(failure: String)
    /// Another attempt would not help: the mail is parked until an operator retries or removes it.
    case refused(failure: String)
}

/// How the service sends mail.
public struct MailSettings: Sendable {
    /// How long one attempt may take.
    public static let timeLimit: Duration = .seconds(120)

    /// Delivers the mails.
    public var sender: any MailSender
    /// The name of the service, as people know it. The mails are in its name.
    public var serviceName: String

    /// Makes the settings.
    /// - Parameters:
    ///   - sender: Delivers the mails.
    ///   - serviceName: The name of the service, as people know it.
    public init(sender: any MailSender, serviceName: String) {
        self.sender = sender
        self.serviceName = serviceName
    }
}
