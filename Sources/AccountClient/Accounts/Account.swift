import AccountAPI
public import Foundation

/// An account: a person who is signed in, as the account service knows them.
public struct Account: Hashable, Sendable, Identifiable {
    /// The account service's identifier; opaque.
    public let id: String
    /// Apple's identifier of the person for this team of developers: `ASAuthorizationAppleIDCredential.user`. It is nil for
    /// a person who has signed in by password or by a link in a mail.
    public let user: String?
    /// The person's name: the one that they typed, otherwise the one that Apple told once; nil if there is none.
    public let name: PersonNameComponents?
    /// The name on one line, as the account service puts it together.
    public let formattedName: String?
    /// The person's e-mail address as Apple or another provider told it, or with which they sign in; nil for none.
    public let email: String?
    /// Whether the address is verified.
    public let isEmailVerified: Bool
    /// Whether the address is a relay of Apple's, which forwards to an address that stays hidden.
    public let isPrivateEmail: Bool
    /// The address to which the account service sends mail. The person typed it, and opened the link that was sent to it;
    /// nil when they gave none.
    public let contactEmail: String?
    /// The address that becomes ``contactEmail`` when the person opens the link that was sent to it; nil when none waits.
    public let pendingContactEmail: String?
    /// The phone number that the person typed, in the form of E.164; nil when they gave none. It isn't verified.
    public let phone: String?
    /// The ways in which the person can sign in; nil when the account service doesn't say.
    public let waysIn: WaysIn?
    /// The time at which the account was created.
    public let createdAt: Date
    /// Whether the account service has answered for this account since the program started. Until it has, this is what
    /// it said last time, and the session may have ended meanwhile.
    public let isConfirmed: Bool
}

extension Account {
    /// The ways in which a person can sign in to their account.
    public struct WaysIn: Hashable, Sendable {
        /// Whether the person can sign in with Apple.
        public let apple: Bool
        /// The address with which the person signs in by password or by a link in a mail; nil when there is none.
        public let email: String?
        /// Whether the person can sign in with ``email`` and a password.
        public let hasPassword: Bool
        /// The other providers with which the person can sign in.
        public let providers: [AccountIdentity.Provider]

        init(_ body: WaysInBody) {
            apple = body.apple
            email = body.email
            hasPassword = body.hasPassword
            providers = body.providers.map(AccountIdentity.Provider.init(rawValue:))
        }
    }
}

extension Account {
    init(_ session: StoredSession, isConfirmed: Bool) {
        let body = session.account
        self.init(
            id: body.id, user: session.user, name: body.name.map(PersonNameComponents.init),
            formattedName: body.name?.formatted, email: body.email, isEmailVerified: body.emailVerified,
            isPrivateEmail: body.isPrivateEmail, contactEmail: body.contactEmail,
            pendingContactEmail: body.pendingContactEmail, phone: body.phone, waysIn: body.waysIn.map(WaysIn.init),
            createdAt: body.createdAt.date, isConfirmed: isConfirmed)
    }
}

extension PersonNameComponents {
    init(_ name: AccountName) {
        self.init()
        givenName = name.givenName
        familyName = name.familyName
        middleName = name.middleName
        namePrefix = name.namePrefix
        nameSuffix = name.nameSuffix
        nickname = name.nickname
    }
}

extension FullName {
    /// Makes a name out of Apple's; nil if it has no part. Apple's answers after the first may hold such a name.
    init?(_ name: PersonNameComponents?) {
        guard let name else { return nil }
        let parts = [
            name.givenName, name.familyName, name.middleName, name.namePrefix, name.nameSuffix, name.nickname,
        ].map { $0.flatMap { $0.isEmpty ? nil : $0 } }
        guard parts.contains(where: { $0 != nil }) else { return nil }
        self.init(
            givenName: parts[0], familyName: parts[1], middleName: parts[2], namePrefix: parts[3], nameSuffix: parts[4],
            nickname: parts[5])
    }
}
