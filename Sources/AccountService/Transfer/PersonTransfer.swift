package import AppleIDTypes

/// One person on the way from one team to another, as the store keeps them.
///
/// A subject means something within one team only. Apple gives the sending team a transfer subject for each person, and
/// tells the receiving team who that is there.
package struct PersonTransfer: Hashable, Sendable, Redacted {
    package enum State: String, Hashable, Sendable {
        /// Apple has given a transfer subject. The identity is still the sending team's.
        case exported
        /// The identity is the receiving team's.
        case moved
        /// ``PersonTransfer/failure`` says why. The next run tries again.
        case failed
    }

    /// How long a person of another store is remembered who was never moved: longer than Apple answers.
    static let retention: Duration = .days(90)

    package var id: TransferID
    /// The team that sends the app.
    package var source: TeamID
    /// The team that receives the app.
    package var target: TeamID
    /// The account, at the sending service where that has another store.
    package var account: AccountID
    /// The identity that moves. Nil for a person of another store who has none here yet.
    package var identity: IdentityID?
    /// Whether the person came in a file.
    package var isReceived: Bool
    /// The person's subject at the sending team, where that is known.
    package var formerSubject: Subject?
    /// Nil where Apple has refused to give one.
    package var transferSubject: Subject?
    package var state: State
    package var failure: TransferFailure?
    package var updatedAt: Timestamp
    package var movedAt: Timestamp?

    package init(
        id: TransferID, source: TeamID, target: TeamID, account: AccountID, identity: IdentityID?, isReceived: Bool,
        formerSubject: Subject?, transferSubject: Subject?, state: State, failure: TransferFailure? = nil,
        updatedAt: Timestamp, movedAt: Timestamp? = nil
    ) {
        self.id = id
        self.source = source
        self.target = target
        self.account = account
        self.identity = identity
        self.isReceived = isReceived
        self.formerSubject = formerSubject
        self.transferSubject = transferSubject
        self.state = state
        self.failure = failure
        self.updatedAt = updatedAt
        self.movedAt = movedAt
    }
}

/// A reason why a person could not be moved: a code that does not change once it was written.
package struct TransferFailure: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    /// Keeps any word, also one that this version doesn't know.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Apple refuses to tell about this person: they have stopped using the app, or the sixty days are over.
    package static let appleRefused = Self(rawValue: "apple_refused")
    /// The person has another account under the receiving team.
    package static let accountExists = Self(rawValue: "account_exists")
    /// Apple gives no answer about this person, and answers about others.
    package static let appleUnavailable = Self(rawValue: "apple_unavailable")
    /// An account of this id is here, and it is not known to be the person's.
    package static let accountIDTaken = Self(rawValue: "account_id_taken")
    /// The identity belongs to neither of the two teams, or to somebody else at the receiving one.
    package static let identityChanged = Self(rawValue: "identity_changed")
}

/// The person at the receiving team, by Apple's word: an answer about the transfer subject, or an identity token.
package struct TransferTarget: Hashable, Sendable, Redacted {
    package var team: TeamID
    package var subject: Subject
    /// The new relay address. Nil leaves the stored address as it is.
    package var relayAddress: String?

    package init(team: TeamID, subject: Subject, relayAddress: String? = nil) {
        self.team = team
        self.subject = subject
        self.relayAddress = relayAddress
    }
}

/// The outcome of moving one person.
package enum TransferMove: Hashable, Sendable {
    /// The identity is the receiving team's now.
    case moved(AccountID)
    /// The identity is the receiving team's now. It has taken the place of the identity that opened another account of
    /// the same person.
    case movedReplacing(AccountID, by: AccountID)
    /// It was so before.
    case movedBefore
    case failed(TransferFailure)
    /// The account has been deleted since.
    case gone
}

/// How a person came to be moved, as the audit and the events say it.
package enum TransferWay: String, CaseIterable, Hashable, Sendable {
    case `import`
    /// The person signed in, or proved again who they are, before the import had come to them.
    case signIn = "sign_in"
}

/// How far the transfer to a team is.
package struct TransferCounts: Hashable, Sendable {
    /// People of other teams whom nobody has asked Apple about.
    package var waiting = 0
    /// People with a transfer subject who are not moved yet.
    package var exported = 0
    package var moved = 0
    /// People who could not be moved, by reason.
    package var failed: [TransferFailure: Int] = [:]

    package init() {}
}
