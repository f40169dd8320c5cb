extension EmulatorState {
    /// What is still missing; nil when the person is signed in, in the browser that knows this session.
    func missingStep(for person: Portal.Person, session id: String?, at now: Int64) -> SignInStep? {
        guard let session = accountSession(of: person, id, at: now) else { return .password }
        return session.isComplete ? nil : .code
    }

    /// The password was right. Without two-factor authentication that is all.
    mutating func enterPassword(of person: Portal.Person, replacing old: String?, newID: String, at now: Int64) {
        if let old { accountSessions.remove(old) }
        accountSessions.insert(
            AccountSession(person: person.id, isComplete: !person.hasTwoFactor), for: newID, at: now)
    }

    /// The six digits were right. Nil for a browser whose password step is not done, or too long ago.
    mutating func enterCode(of person: Portal.Person, session id: String?, newID: String, at now: Int64) -> String? {
        guard let id, accountSession(of: person, id, at: now) != nil else { return nil }
        // A new name for a session that is worth more than before.
        accountSessions.remove(id)
        accountSessions.insert(AccountSession(person: person.id, isComplete: true), for: newID, at: now)
        return newID
    }

    /// Whoever is still signed in as this person is so no longer, the given browser excepted.
    mutating func endAccountSessions(of person: Portal.Person, except id: String? = nil) {
        accountSessions.removeAll { key, session in session.person == person.id && key != id }
    }

    private func accountSession(of person: Portal.Person, _ id: String?, at now: Int64) -> AccountSession? {
        guard let id, let session = accountSessions.value(id, at: now), session.person == person.id else { return nil }
        return session
    }
}
