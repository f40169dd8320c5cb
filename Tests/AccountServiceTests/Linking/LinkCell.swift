import Testing

@testable import AccountService

/// A cell of the matrix: an event of the second way in beside the first, and its outcome. Each row of the table is one.
struct LinkCell: CustomTestStringConvertible {
    /// A way in: the one with which an account begins, or one that joins it.
    enum Way: String {
        case appleShared, appleHidden, password, oneTimeLink, provider, otherProvider

        var isApple: Bool { self == .appleShared || self == .appleHidden }
        var isAddress: Bool { self == .password || self == .oneTimeLink }
        /// The place of the provider among those of the system; nil for another way in.
        var providerIndex: Int? { self == .provider ? 0 : self == .otherProvider ? 1 : nil }
    }

    /// Something that happens to the second way in.
    enum Event: String {
        /// The way in is added to the account.
        case link
        /// The way in is added, and then removed.
        case unlink
        /// The way in opens another account when the person tries to add it.
        case conflict
        /// A conflict, as above. The person signs in with its handle.
        case handle
        /// The way in opens another account, which is merged into this one.
        case merge
        /// The way in is added, and then the account is deleted.
        case delete
        /// The way in is added, and then Apple says that a person has stopped using the app: that of the second way in,
        /// if it is Apple's, else that of the first.
        case revokeAtApple
        /// The way in is added, and then the consent is withdrawn, if one was needed.
        case withdraw
    }

    /// The outcome of a sign-in by the second way in, after the event.
    enum Entrance: String {
        /// The way in opens the account.
        case account
        /// The way in opens the other account, as before.
        case otherAccount
        case newAccount
        /// The way in opens nothing.
        case wrongCredentials
    }

    let first: Way
    let second: Way
    let event: Event
    /// Whether the second way in needs consent beside the first.
    let needsConsent: Bool
    /// The outcome of a sign-in by the second way in, after the event.
    let entrance: Entrance
    /// How many revocations the event has ordered at Apple.
    let revocations: Int64
    /// The end of a session that the second way in opened before; of the session that asked, for a handle.
    let end: SessionEndReason?

    /// - Returns: nil for a row that has no such form.
    init?(row: Substring) {
        let words = row.split(separator: " ").map(String.init)
        guard words.count == 7, let first = Way(rawValue: words[0]), let second = Way(rawValue: words[1]),
            let event = Event(rawValue: words[2]), ["yes", "no"].contains(words[3]),
            let entrance = Entrance(rawValue: words[4]), let revocations = Int64(words[5])
        else { return nil }
        (self.first, self.second, self.event) = (first, second, event)
        needsConsent = words[3] == "yes"
        (self.entrance, self.revocations) = (entrance, revocations)
        end = words[6] == "-" ? nil : SessionEndReason(rawValue: words[6])
    }

    var testDescription: String { "\(first) + \(second): \(event)" }

    static let rows = table.split(separator: "\n")
    static let all = rows.compactMap { LinkCell(row: $0) }

    /// First way in, second one, event, consent, entrance, revocations, end of the session. An account has one address,
    /// so there are no rows with two. Where neither is Apple's, Apple says nothing. A password that is gone opens
    /// nothing, and everything else signs up again. An address has no handle: its owner gets a mail, and signs in as
    /// always. A merge with its account begins with an Apple Account that the account has, too.
    private static let table = """
        appleShared    appleShared    link           no   account           0  -
        appleShared    appleShared    unlink         no   newAccount        1  unlinked
        appleShared    appleShared    conflict       no   otherAccount      0  -
        appleShared    appleShared    handle         no   otherAccount      0  replaced
        appleShared    appleShared    merge          no   account           0  merged
        appleShared    appleShared    delete         no   newAccount        2  -
        appleShared    appleShared    revokeAtApple  no   account           0  apple_consent_revoked
        appleShared    appleShared    withdraw       no   account           0  -
        appleShared    appleHidden    link           yes  account           0  -
        appleShared    appleHidden    unlink         yes  newAccount        1  unlinked
        appleShared    appleHidden    conflict       no   otherAccount      0  -
        appleShared    appleHidden    handle         no   otherAccount      0  replaced
        appleShared    appleHidden    merge          yes  account           0  merged
        appleShared    appleHidden    delete         yes  newAccount        2  -
        appleShared    appleHidden    revokeAtApple  yes  account           0  apple_consent_revoked
        appleShared    appleHidden    withdraw       yes  newAccount        1  unlinked
        appleShared    password       link           no   account           0  -
        appleShared    password       unlink         no   wrongCredentials  0  unlinked
        appleShared    password       conflict       no   otherAccount      0  -
        appleShared    password       handle         no   otherAccount      0  -
        appleShared    password       merge          no   account           0  merged
        appleShared    password       delete         no   wrongCredentials  1  -
        appleShared    password       revokeAtApple  no   account           0  -
        appleShared    password       withdraw       no   account           0  -
        appleShared    oneTimeLink    link           no   account           0  -
        appleShared    oneTimeLink    unlink         no   newAccount        0  unlinked
        appleShared    oneTimeLink    conflict       no   otherAccount      0  -
        appleShared    oneTimeLink    handle         no   otherAccount      0  -
        appleShared    oneTimeLink    merge          no   account           0  merged
        appleShared    oneTimeLink    delete         no   newAccount        1  -
        appleShared    oneTimeLink    revokeAtApple  no   account           0  -
        appleShared    oneTimeLink    withdraw       no   account           0  -
        appleHidden    appleShared    link           yes  account           0  -
        appleHidden    appleShared    unlink         yes  newAccount        1  unlinked
        appleHidden    appleShared    conflict       no   otherAccount      0  -
        appleHidden    appleShared    handle         no   otherAccount      0  replaced
        appleHidden    appleShared    merge          yes  account           0  merged
        appleHidden    appleShared    delete         yes  newAccount        2  -
        appleHidden    appleShared    revokeAtApple  yes  account           0  apple_consent_revoked
        appleHidden    appleShared    withdraw       yes  newAccount        1  unlinked
        appleHidden    appleHidden    link           no   account           0  -
        appleHidden    appleHidden    unlink         no   newAccount        1  unlinked
        appleHidden    appleHidden    conflict       no   otherAccount      0  -
        appleHidden    appleHidden    handle         no   otherAccount      0  replaced
        appleHidden    appleHidden    merge          no   account           0  merged
        appleHidden    appleHidden    delete         no   newAccount        2  -
        appleHidden    appleHidden    revokeAtApple  no   account           0  apple_consent_revoked
        appleHidden    appleHidden    withdraw       no   account           0  -
        appleHidden    password       link           yes  account           0  -
        appleHidden    password       unlink         yes  wrongCredentials  0  unlinked
        appleHidden    password       conflict       yes  otherAccount      0  -
        appleHidden    password       handle         yes  otherAccount      0  -
        appleHidden    password       merge          yes  account           0  merged
        appleHidden    password       delete         yes  wrongCredentials  1  -
        appleHidden    password       revokeAtApple  yes  account           0  -
        appleHidden    password       withdraw       yes  wrongCredentials  0  unlinked
        appleHidden    oneTimeLink    link           yes  account           0  -
        appleHidden    oneTimeLink    unlink         yes  newAccount        0  unlinked
        appleHidden    oneTimeLink    conflict       yes  otherAccount      0  -
        appleHidden    oneTimeLink    handle         yes  otherAccount      0  -
        appleHidden    oneTimeLink    merge          yes  account           0  merged
        appleHidden    oneTimeLink    delete         yes  newAccount        1  -
        appleHidden    oneTimeLink    revokeAtApple  yes  account           0  -
        appleHidden    oneTimeLink    withdraw       yes  newAccount        0  unlinked
        password       appleShared    link           no   account           0  -
        password       appleShared    unlink         no   newAccount        1  unlinked
        password       appleShared    conflict       no   otherAccount      0  -
        password       appleShared    handle         no   otherAccount      0  replaced
        password       appleShared    merge          no   account           0  merged
        password       appleShared    delete         no   newAccount        1  -
        password       appleShared    revokeAtApple  no   account           0  apple_consent_revoked
        password       appleShared    withdraw       no   account           0  -
        password       appleHidden    link           yes  account           0  -
        password       appleHidden    unlink         yes  newAccount        1  unlinked
        password       appleHidden    conflict       no   otherAccount      0  -
        password       appleHidden    handle         no   otherAccount      0  replaced
        password       appleHidden    merge          yes  account           0  merged
        password       appleHidden    delete         yes  newAccount        1  -
        password       appleHidden    revokeAtApple  yes  account           0  apple_consent_revoked
        password       appleHidden    withdraw       yes  newAccount        1  unlinked
        oneTimeLink    appleShared    link           no   account           0  -
        oneTimeLink    appleShared    unlink         no   newAccount        1  unlinked
        oneTimeLink    appleShared    conflict       no   otherAccount      0  -
        oneTimeLink    appleShared    handle         no   otherAccount      0  replaced
        oneTimeLink    appleShared    merge          no   account           0  merged
        oneTimeLink    appleShared    delete         no   newAccount        1  -
        oneTimeLink    appleShared    revokeAtApple  no   account           0  apple_consent_revoked
        oneTimeLink    appleShared    withdraw       no   account           0  -
        oneTimeLink    appleHidden    link           yes  account           0  -
        oneTimeLink    appleHidden    unlink         yes  newAccount        1  unlinked
        oneTimeLink    appleHidden    conflict       no   otherAccount      0  -
        oneTimeLink    appleHidden    handle         no   otherAccount      0  replaced
        oneTimeLink    appleHidden    merge          yes  account           0  merged
        oneTimeLink    appleHidden    delete         yes  newAccount        1  -
        oneTimeLink    appleHidden    revokeAtApple  yes  account           0  apple_consent_revoked
        oneTimeLink    appleHidden    withdraw       yes  newAccount        1  unlinked
        appleShared    provider       link           no   account           0  -
        appleShared    provider       unlink         no   newAccount        0  unlinked
        appleShared    provider       conflict       no   otherAccount      0  -
        appleShared    provider       handle         no   otherAccount      0  replaced
        appleShared    provider       merge          no   account           0  merged
        appleShared    provider       delete         no   newAccount        1  -
        appleShared    provider       revokeAtApple  no   account           0  -
        appleShared    provider       withdraw       no   account           0  -
        appleHidden    provider       link           yes  account           0  -
        appleHidden    provider       unlink         yes  newAccount        0  unlinked
        appleHidden    provider       conflict       no   otherAccount      0  -
        appleHidden    provider       handle         no   otherAccount      0  replaced
        appleHidden    provider       merge          yes  account           0  merged
        appleHidden    provider       delete         yes  newAccount        1  -
        appleHidden    provider       revokeAtApple  yes  account           0  -
        appleHidden    provider       withdraw       yes  newAccount        0  unlinked
        password       provider       link           no   account           0  -
        password       provider       unlink         no   newAccount        0  unlinked
        password       provider       conflict       no   otherAccount      0  -
        password       provider       handle         no   otherAccount      0  replaced
        password       provider       merge          no   account           0  merged
        password       provider       delete         no   newAccount        0  -
        password       provider       withdraw       no   account           0  -
        oneTimeLink    provider       link           no   account           0  -
        oneTimeLink    provider       unlink         no   newAccount        0  unlinked
        oneTimeLink    provider       conflict       no   otherAccount      0  -
        oneTimeLink    provider       handle         no   otherAccount      0  replaced
        oneTimeLink    provider       merge          no   account           0  merged
        oneTimeLink    provider       delete         no   newAccount        0  -
        oneTimeLink    provider       withdraw       no   account           0  -
        provider       appleShared    link           no   account           0  -
        provider       appleShared    unlink         no   newAccount        1  unlinked
        provider       appleShared    conflict       no   otherAccount      0  -
        provider       appleShared    handle         no   otherAccount      0  replaced
        provider       appleShared    merge          no   account           0  merged
        provider       appleShared    delete         no   newAccount        1  -
        provider       appleShared    revokeAtApple  no   account           0  apple_consent_revoked
        provider       appleShared    withdraw       no   account           0  -
        provider       appleHidden    link           yes  account           0  -
        provider       appleHidden    unlink         yes  newAccount        1  unlinked
        provider       appleHidden    conflict       no   otherAccount      0  -
        provider       appleHidden    handle         no   otherAccount      0  replaced
        provider       appleHidden    merge          yes  account           0  merged
        provider       appleHidden    delete         yes  newAccount        1  -
        provider       appleHidden    revokeAtApple  yes  account           0  apple_consent_revoked
        provider       appleHidden    withdraw       yes  newAccount        1  unlinked
        provider       password       link           no   account           0  -
        provider       password       unlink         no   wrongCredentials  0  unlinked
        provider       password       conflict       no   otherAccount      0  -
        provider       password       handle         no   otherAccount      0  -
        provider       password       merge          no   account           0  merged
        provider       password       delete         no   wrongCredentials  0  -
        provider       password       withdraw       no   account           0  -
        provider       oneTimeLink    link           no   account           0  -
        provider       oneTimeLink    unlink         no   newAccount        0  unlinked
        provider       oneTimeLink    conflict       no   otherAccount      0  -
        provider       oneTimeLink    handle         no   otherAccount      0  -
        provider       oneTimeLink    merge          no   account           0  merged
        provider       oneTimeLink    delete         no   newAccount        0  -
        provider       oneTimeLink    withdraw       no   account           0  -
        provider       otherProvider  link           no   account           0  -
        provider       otherProvider  unlink         no   newAccount        0  unlinked
        provider       otherProvider  conflict       no   otherAccount      0  -
        provider       otherProvider  handle         no   otherAccount      0  replaced
        provider       otherProvider  merge          no   account           0  merged
        provider       otherProvider  delete         no   newAccount        0  -
        provider       otherProvider  withdraw       no   account           0  -
        """

    /// The number of ways in to the account.
    func ways(after entrance: Entrance?) -> Int {
        guard entrance == .account else { return 1 }
        return event == .merge && second.isAddress ? 3 : 2
    }
}
