import AccountAPI
import AccountConnection
public import Foundation

/// The effect of a merge of two accounts, for the person to see before they confirm it: what moves, and what is lost.
///
/// Each merge also moves the history of the other account, and loses its id, the date of its creation and the links in mails
/// to it. The plan doesn't list them.
public struct AccountMergePlan: Hashable, Sendable {
    /// A part of a profile. Newer services may know more.
    public struct ProfilePart: RawRepresentable, Hashable, Sendable {
        /// The account service's word.
        public let rawValue: String

        /// Makes a part of the account service's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The person's name.
        public static let name = Self(rawValue: "name")
        /// The contact address that the person confirmed.
        public static let contactEmail = Self(rawValue: "contact_email")
        /// The contact address that is not confirmed yet.
        public static let pendingContactEmail = Self(rawValue: "pending_contact_email")
        /// The link in a mail that takes the last change of the contact address back.
        public static let contactEmailChange = Self(rawValue: "contact_email_change")
        /// The phone number.
        public static let phone = Self(rawValue: "phone")
    }

    /// The id of the merged account.
    public let from: String
    /// The id of the remaining account: the one that is signed in to.
    public let into: String
    /// The ways in that open the remaining account from then on, oldest first.
    public let movedIdentities: [AccountIdentity]
    /// The parts of the profile that the remaining account lacks and gets.
    public let movedProfile: [ProfilePart]
    /// The number of the person's consents that hold in the other account, and hold in the remaining one then.
    public let movedConsents: Int
    /// The ways in that open no account any more: an account has one email address to sign in with.
    public let lostIdentities: [AccountIdentity]
    /// The parts of the profile of which the remaining account has another.
    public let lostProfile: [ProfilePart]
    /// The number of places where the person is signed in to the merged account. They are signed out there.
    public let lostSessions: Int
    /// The purposes for which the service asks for the person's consent, before it merges the accounts; empty if it
    /// needs none. The client asks for it by the `consent` of the call.
    public let consentPurposes: [ConsentPurpose]
    /// The time from which on the merge has to begin anew.
    public let expiresAt: Date

    init(_ answer: MergePreviewAnswer) {
        from = answer.from
        into = answer.into
        movedIdentities = answer.moves.links.map { AccountIdentity($0) }
        movedProfile = answer.moves.profile.map { ProfilePart(rawValue: $0) }
        movedConsents = answer.moves.consents
        lostIdentities = answer.losses.links.map { AccountIdentity($0) }
        lostProfile = answer.losses.profile.map { ProfilePart(rawValue: $0) }
        lostSessions = answer.losses.sessions
        consentPurposes = answer.consent?.purposes.map { ConsentPurpose(rawValue: $0.rawValue) } ?? []
        expiresAt = answer.expiresAt.date
    }
}

/// Shows the person what a merge moves and loses, says that it can't be undone, and returns whether they want it.
public typealias MergePrompt = @Sendable (AccountMergePlan) async -> Bool

extension AccountClientError {
    /// The id of the account that has taken the place of the one that was signed in to, with the code `sessionEnded`
    /// after a merge on another device; nil with any other error. Every call has it until somebody signs in, also after
    /// a restart.
    public var mergedInto: String? {
        guard code == .sessionEnded else { return nil }
        return (cause as? AccountMerge)?.into ?? (cause as? ServiceError)?.details?.merged?.into
    }
}

/// The cause of an error `sessionEnded` after a merge, once the client has stored the merge.
struct AccountMerge: Error, Hashable {
    /// The id of the remaining account.
    let into: String
}
