/// The slice of the state for people who are signed in to their Apple Account in a browser. The state file doesn't hold
/// it: after a restart of the emulator people sign in again.
struct AccountSessions: Sendable {
    private(set) var table = ExpiringTable<AccountSession>(lifetime: AccountSession.lifetime, capacity: 1_000)

    /// The next step of a sign-in; nil if the person is signed in, in the browser that knows this session.
    func missingStep(for person: Portal.Person, session id: String?, at now: Int64) -> SignInStep? {
        guard let session = session(of: person, id, at: now) else { return .password }
        return session.isComplete ? nil : .code
    }

    /// The password was right. An account without two-factor authentication needs no more.
    mutating func enterPassword(of person: Portal.Person, replacing old: String?, newID: String, at now: Int64) {
        if let old { table.remove(old) }
        table.insert(
            AccountSession(person: person.id, isComplete: !person.hasTwoFactor), for: newID, at: now)
    }

    /// The six digits were right. Nil for a browser whose password step is not done, or too long ago.
    mutating func enterCode(of person: Portal.Person, session id: String?, newID: String, at now: Int64) -> String? {
        guard let id, session(of: person, id, at: now) != nil else { return nil }
        // The session opens more than before, so it gets a new name: somebody may know the old one.
        table.remove(id)
        table.insert(AccountSession(person: person.id, isComplete: true), for: newID, at: now)
        return newID
    }

    /// Signs the person out in all browsers but the given one.
    mutating func end(of person: Portal.Person, except id: String? = nil) {
        table.removeAll { key, session in session.person == person.id && key != id }
    }

    mutating func forget(people isGone: (String) -> Bool) {
        table.removeAll { _, session in isGone(session.person) }
    }

    private func session(of person: Portal.Person, _ id: String?, at now: Int64) -> AccountSession? {
        guard let id, let session = table.value(id, at: now), session.person == person.id else { return nil }
        return session
    }
}

/// A person's sign-in to their Apple Account in one browser, done or begun. It is used only if the emulator asks for
/// passwords.
struct AccountSession: Sendable {
    static let lifetime: Int64 = 86_400

    let person: String
    /// Whether the two-factor step is done, too, or the account has none.
    var isComplete: Bool
}

/// A step that a person has to take before the sheet or their settings open.
enum SignInStep: Sendable {
    case password
    case code
}

extension Portal.Person {
    static let maximumPasswordLength = 255

    /// Whether the account has two-factor authentication; all have, unless the portal says otherwise.
    var hasTwoFactor: Bool { twoFactor ?? true }

    /// Returns whether the password is right. Any password is right for a person without a declared one.
    func accepts(password given: String) -> Bool {
        guard !given.isEmpty, given.unicodeScalars.count <= Self.maximumPasswordLength else { return false }
        guard let password else { return true }
        return SecretText.areEqual(given, password)
    }

    /// No message was sent, so any six digits are right, with or without spaces around and between them.
    static func accepts(code given: String) -> Bool {
        guard given.utf8.count <= 32 else { return false }
        let digits = given.utf8.filter { $0 != UInt8(ascii: " ") }
        return digits.count == 6 && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
