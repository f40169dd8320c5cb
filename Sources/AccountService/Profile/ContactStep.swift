import AppleID

/// Who asked for a change of the contact address, and when.
struct ContactWish: Sendable {
    var askedAt: Timestamp
    var session: SessionID?
}

/// A change of the contact address, or what leads to one, by whoever has a session or a link.
struct ContactStep: Sendable {
    var at: Timestamp
    /// The live session that acts, in which case its account is the one that changes; nil for a link that takes back.
    var session: SessionID?
    /// For the audit.
    var caller: Caller
    /// What the step may send.
    var link: ContactLink
    /// The version of the consent text that people are asked to agree to.
    var currentText: String

    var actor: AuditActor { .account(through: session, from: caller) }
}

extension ContactStep {
    /// Makes a step of this moment.
    init(
        in session: SessionID?, from caller: Caller, writer: MailWriter, currentText: String,
        _ environment: AppleIDEnvironment
    ) {
        let moment = Timestamp(environment.now())
        self.init(
            at: moment, session: session, caller: caller,
            link: ContactLink(
                token: ContactToken(randomness: environment.randomBytes(32)), mailID: writer.newID(at: moment),
                languages: caller.languages, writer: writer),
            currentText: currentText)
    }
}
