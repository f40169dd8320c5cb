import AppleIDTypes

/// The slice of the state for the mail relay.
struct RelayState: Sendable {
    /// Whether the mail server also takes mail to addresses that nobody here has.
    var takesMailForOthers = false
    /// The mailboxes whose people stopped the forwarding of mail. They outlive the grant: the address is the team's.
    var stopped: Set<RelayMailbox> = []
    /// How many mails each address had on a day. Counts of other days may be among them.
    var counts: [RelayMailbox: RelayCount] = [:]

    mutating func forget(people isGone: (String) -> Bool) {
        stopped = stopped.filter { !isGone($0.person) }
        counts = counts.filter { !isGone($0.key.person) }
    }

    mutating func forget(teams isGone: (TeamID) -> Bool) {
        stopped = stopped.filter { !isGone($0.team) }
        counts = counts.filter { !isGone($0.key.team) }
    }
}

extension EmulatorState {
    /// The domains of relay addresses. An address that was given out at one of them is good at all of them.
    static let relayDomains = Set(Portal.RelayDomain.allCases.map(\.rawValue))

    /// The reply of the mail server to a recipient, before it has seen the mail.
    func admit(_ address: MailAddress, at now: Int64) -> SMTPReply {
        guard let route = route(to: address) else {
            return Self.relayDomains.contains(address.domain) ? .badMailboxName : .notOurs
        }
        guard case .relay(let relay) = route else { return .recipientIsGood }
        // Apple rejects such mail; with which words is not known.
        if self.relay.stopped.contains(relay) {
            return behaviour.forwardingOff == .mailboxDisabled ? .mailboxDisabled : .badMailboxName
        }
        guard mailsToday(for: relay, at: now) >= RelayCount.maximum else { return .recipientIsGood }
        return behaviour.dailyMailLimit == .final ? .mailboxFull : .tooManyToday
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

    /// The reply that refuses the sender; nil if the sender may send.
    private func refusal(of mail: IncomingMail, _ header: MailHeader, through relay: RelayMailbox) -> SMTPReply? {
        guard let author = header.author else { return .noAuthor }
        let sources = registry.portal.teams.first { $0.id == relay.team }?.emailSources ?? []
        guard SenderRules(sources: sources).allow(mail, header, author: author) else { return .unauthorizedSender }
        return behaviour.relayFailsTransformation ? .transformationError : nil
    }

    /// A relay address lives as long as the person hides their own from an app of the team.
    private func route(to address: MailAddress) -> MailRoute? {
        if let person = registry.owner(of: address) { return .own(person: person) }
        guard !Self.relayDomains.contains(address.domain) else {
            return grants.relay(named: address.local.lowercased()).map { .relay($0) }
        }
        return relay.takesMailForOthers ? .other(address: address.key) : nil
    }

    private func mailsToday(for relay: RelayMailbox, at now: Int64) -> Int {
        guard let count = self.relay.counts[relay], count.day == RelayCount.day(at: now) else { return 0 }
        return count.mails
    }

    private mutating func count(_ relay: RelayMailbox, at now: Int64) {
        let day = RelayCount.day(at: now)
        if self.relay.counts[relay]?.day != day { self.relay.counts = self.relay.counts.filter { $0.value.day == day } }
        self.relay.counts[relay, default: RelayCount(day: day, mails: 0)].mails += 1
    }
}

/// The mailbox that an address leads to.
enum MailRoute: Hashable, Sendable {
    /// Through the relay, by its rules.
    case relay(RelayMailbox)
    /// The address is the person's own, and no relay is on the way.
    case own(person: String)
    /// The address belongs to no person of the emulator. The mail server takes mail for it all the same.
    case other(address: String)

    var person: String? {
        switch self {
        case .relay(let relay): relay.person
        case .own(let person): person
        case .other: nil
        }
    }

    var team: TeamID? {
        switch self {
        case .relay(let relay): relay.team
        case .own, .other: nil
        }
    }
}

/// The number of mails that an address had on one day.
struct RelayCount: Hashable, Sendable {
    /// The maximum that Apple documents.
    static let maximum = 100

    /// Since 1970, in UTC; Apple does not say when its day begins.
    let day: Int64
    var mails: Int

    static func day(at now: Int64) -> Int64 { now / 86_400 }
}

/// A mail as it came in: envelope and content. Nothing is decided yet.
struct IncomingMail: Hashable, Sendable {
    /// Nil: `<>`, as reports of failed deliveries have it.
    let sender: MailAddress?
    let recipients: [MailAddress]
    /// Header and body, lines ending with CR LF, without the dots that the transport adds.
    let content: [UInt8]
}

extension EmulatorCore {
    /// The reply of the mail server to a recipient, now.
    func admit(_ address: MailAddress) -> SMTPReply { current.admit(address, at: environment.seconds) }

    /// Files a mail with its recipients, and returns the reply of the mail server.
    func deliver(_ mail: IncomingMail) -> SMTPReply {
        let ids = mail.recipients.map { _ in randomness.pageID() }
        let now = environment.seconds
        return change { $0.deliver(mail, ids: ids, at: now) }
    }

    /// Carries out an action of a sender's session.
    ///
    /// - Returns: the reply, and whether the connection closes after it.
    func perform(_ action: SMTPSession.Action, in session: inout SMTPSession) -> (SMTPReply, isLast: Bool) {
        switch action {
        case .reply(let reply): (reply, false)
        case .close(let reply): (reply, true)
        case .ask(let address): perform(session.answer(admit(address)), in: &session)
        case .deliver(let mail): perform(session.answer(deliver(mail)), in: &session)
        }
    }
}
