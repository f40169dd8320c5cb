import AppleIDTypes

extension EmulatorState {
    /// Where relay addresses end. What was given out at one of them is good at all.
    static let relayDomains = Set(Portal.RelayDomain.all.map(\.name))

    /// What the mail server says to a recipient, before it has seen the mail.
    func admit(_ address: MailAddress, at now: Int64) -> SMTPReply {
        guard let route = route(to: address) else {
            return Self.relayDomains.contains(address.domain) ? .badMailboxName : .notOurs
        }
        guard case .relay(let relay) = route else { return .recipientIsGood }
        // Apple rejects such mail; with which words is not known.
        if stoppedRelays.contains(relay) {
            return quirks.contains(.forwardingOffIsMailboxDisabled) ? .mailboxDisabled : .badMailboxName
        }
        guard mailsToday(for: relay, at: now) >= RelayCount.maximum else { return .recipientIsGood }
        return quirks.contains(.dailyLimitIsFinal) ? .mailboxFull : .tooManyToday
    }

    /// Files a mail with all of its recipients, or with none.
    ///
    /// - Parameter ids: new ones, as many as there are recipients.
    mutating func deliver(_ mail: IncomingMail, ids: [String], at now: Int64) -> SMTPReply {
        let header = MailHeader(of: mail.content)
        var routes: [(MailRoute, MailAddress)] = []
        for address in mail.recipients {
            let reply = admit(address, at: now)
            guard reply.isPositive, let route = route(to: address) else { return reply }
            if case .relay(let relay) = route, let refusal = refusal(of: mail, header, through: relay) {
                return refusal
            }
            if !routes.contains(where: { $0.0 == route }) { routes.append((route, address)) }
        }
        for ((route, address), id) in zip(routes, ids) {
            if case .relay(let relay) = route { count(relay, at: now) }
            inboxes.file(
                Mail(
                    id: id, person: route.person, team: route.team, sender: mail.sender, recipient: address,
                    receivedAt: now, content: mail.content))
        }
        return .ok
    }

    /// What the relay has against the sender.
    private func refusal(of mail: IncomingMail, _ header: MailHeader, through relay: Relay) -> SMTPReply? {
        guard let author = header.author else { return .noAuthor }
        let sources = registry.portal.teams.first { $0.id == relay.team }?.emailSources ?? []
        guard SenderRules(sources: sources).allow(mail, header, author: author) else { return .unauthorizedSender }
        return quirks.contains(.relayTransformationError) ? .transformationError : nil
    }

    /// A relay address lives as long as the person hides their own from an app of the team.
    private func route(to address: MailAddress) -> MailRoute? {
        if let person = registry.owner(of: address) { return .own(person: person) }
        guard Self.relayDomains.contains(address.domain) else { return nil }
        return grants.relay(named: address.local.lowercased()).map { .relay($0) }
    }

    private func mailsToday(for relay: Relay, at now: Int64) -> Int {
        guard let count = relayCounts[relay], count.day == RelayCount.day(at: now) else { return 0 }
        return count.mails
    }

    private mutating func count(_ relay: Relay, at now: Int64) {
        let day = RelayCount.day(at: now)
        if relayCounts[relay]?.day != day { relayCounts = relayCounts.filter { $0.value.day == day } }
        relayCounts[relay, default: RelayCount(day: day, mails: 0)].mails += 1
    }
}
