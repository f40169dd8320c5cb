import AppleIDTypes

/// A mail that the emulator has taken. Its content is parsed when somebody opens the mail.
struct Mail: Hashable, Sendable {
    let id: String
    /// The person whose inbox has the mail; nil for a mail to an address that nobody here has.
    let person: String?
    /// The team whose relay address the mail came by; nil for an address of the person's own.
    let team: TeamID?
    /// The sender in the envelope; nil: `<>`.
    let sender: MailAddress?
    /// The recipient in the envelope.
    let recipient: MailAddress
    /// Seconds since 1970.
    let receivedAt: Int64
    /// Header and body as they came.
    let content: [UInt8]
}

/// The mail of all people. It isn't in the state file. If there is too much of it, the oldest mail is removed.
struct Inboxes: Sendable {
    static let maximumPerPerson = 200
    static let maximumBytes = 64 << 20

    /// Oldest first.
    private(set) var mails: [Mail] = []
    private var bytes = 0
    private var counts: [String?: Int] = [:]

    subscript(id: String) -> Mail? { mails.first { $0.id == id } }

    /// - Parameter person: nil for the addresses that nobody here has, which share an inbox.
    func count(of person: String?) -> Int { counts[person, default: 0] }

    /// Newest first.
    func mails(of person: String?) -> [Mail] { mails.reversed().filter { $0.person == person } }

    mutating func file(_ mail: Mail) {
        if counts[mail.person, default: 0] >= Self.maximumPerPerson,
            let oldest = mails.firstIndex(where: { $0.person == mail.person })
        {
            remove(at: oldest)
        }
        mails.append(mail)
        counts[mail.person, default: 0] += 1
        bytes += mail.content.count
        while bytes > Self.maximumBytes { remove(at: 0) }
    }

    mutating func remove(id: String) {
        if let index = mails.firstIndex(where: { $0.id == id }) { remove(at: index) }
    }

    mutating func removeAll(of person: String?) { removeAll { $0 == person } }

    mutating func removeAll(ofPeople isGone: (String) -> Bool) { removeAll { $0.map(isGone) ?? false } }

    private mutating func removeAll(where isGone: (String?) -> Bool) {
        mails.removeAll { isGone($0.person) }
        bytes = mails.reduce(0) { $0 + $1.content.count }
        counts = counts.filter { !isGone($0.key) }
    }

    private mutating func remove(at index: Int) {
        let mail = mails.remove(at: index)
        bytes -= mail.content.count
        let count = counts[mail.person, default: 0] - 1
        counts[mail.person] = count > 0 ? count : nil
    }
}
