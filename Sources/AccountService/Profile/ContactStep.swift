import AppleID

/// The request that led to a change of the contact address: when it came, and through which session.
struct ContactChangeOrigin: Sendable {
    var askedAt: Timestamp
    var session: SessionID?
}

/// A request that acts on the contact address: when it came, from whom, and the mail that it may send.
struct ContactStep: Sendable {
    var at: Timestamp
    /// The live session that acts, in which case its account is the one that changes; nil for a take-back link.
    var session: SessionID?
    /// For the audit.
    var caller: Caller
    /// The mail that the step may send.
    var mail: ContactMail
    /// The version of the consent text that people are asked to agree to.
    var currentText: String
    /// Tells the person that another account has the address, too.
    var twoAccountsMail: TwoAccountsMail?

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
            mail: ContactMail(
                secret: writer.newLinkSecret(), mailID: writer.newID(at: moment),
                languages: caller.languages, writer: writer),
            currentText: currentText,
            twoAccountsMail: TwoAccountsMail(writer: writer, at: moment, languages: caller.languages))
    }
}
