import AccountAPI
public import Foundation

/// A way in to an account: an Apple Account, an email address with which the person signs in, or a person at another
/// provider.
public struct AccountIdentity: Hashable, Sendable, Identifiable {
    /// The account service's identifier; opaque.
    public let id: String
    /// The provider that knows the person.
    public let provider: Provider
    /// The team of developers for which Apple knows the person; nil for another provider.
    public let team: String?
    /// The address that Apple or another provider told last, or with which the person signs in; nil for none.
    public let address: String?
    /// Whether the address is a relay of Apple's, which forwards to an address that stays hidden.
    public let isPrivateEmail: Bool
    /// Whether the person can sign in with the address and a password.
    public let hasPassword: Bool
    /// The time at which it became a way in to the account.
    public let addedAt: Date
    /// The time at which the person last proved it: signed in with it, added it, or tried to add it to another account.
    public let lastSignInAt: Date
    /// Whether it opened the session of this device.
    public let isCurrent: Bool

    /// A provider of identities. Newer services may know more.
    public struct Provider: RawRepresentable, Hashable, Sendable {
        /// The account service's word.
        public let rawValue: String

        /// Makes a provider of the account service's word.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Apple: the person signs in with an Apple Account.
        public static let apple = Self(rawValue: "apple")
        /// The account service itself: the person signs in with an address, by password or by a link in a mail.
        public static let email = Self(rawValue: "email")
        /// Google, where the account service has it under its usual id.
        public static let google = Self(rawValue: "google")
        /// Microsoft, where the account service has it under its usual id.
        public static let microsoft = Self(rawValue: "microsoft")
        /// Facebook, where the account service has it under its usual id. It is for tokens from Limited Login alone.
        public static let facebook = Self(rawValue: "facebook")
    }

    init(_ body: LinkBody) {
        id = body.id
        provider = Provider(rawValue: body.provider)
        team = body.team
        address = body.address
        isPrivateEmail = body.isPrivateEmail
        hasPassword = body.hasPassword
        addedAt = body.addedAt.date
        lastSignInAt = body.lastSignInAt.date
        isCurrent = body.current
    }
}

/// The outcome of ``AccountClient/unlink(_:promptingIfNeeded:presentationAnchor:)``.
public struct UnlinkedIdentity: Hashable, Sendable {
    /// The identities that open the account now, oldest first.
    public let identities: [AccountIdentity]
    /// Whether the person is signed out on this device, because the removed identity had opened the session.
    public let isSignedOut: Bool
    /// Instructions to show to the person if the account service can't ask Apple to end its authorization; nil when it
    /// asks, or when nothing is left to end.
    public let manualRemoval: ManualRemoval?
}
