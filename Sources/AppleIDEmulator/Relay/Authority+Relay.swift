extension Authority {
    /// What the mail server answers to a recipient.
    func admit(_ address: MailAddress) -> SMTPReply { current.admit(address, at: environment.seconds) }

    /// Files a mail with its recipients, and says what the mail server answers to it.
    func deliver(_ mail: IncomingMail) -> SMTPReply {
        let ids = mail.recipients.map { _ in randomness.pageID() }
        let now = environment.seconds
        return change { $0.deliver(mail, ids: ids, at: now) }
    }

    /// Does what a conversation asks for.
    ///
    /// - Returns: what to say, and whether it is the last word.
    func perform(_ action: SMTPSession.Action, in session: inout SMTPSession) -> (SMTPReply, isLast: Bool) {
        switch action {
        case .reply(let reply): (reply, false)
        case .close(let reply): (reply, true)
        case .ask(let address): perform(session.answer(admit(address)), in: &session)
        case .deliver(let mail): perform(session.answer(deliver(mail)), in: &session)
        }
    }
}
