/// Everybody's mail. It is not in the state file; when there is too much of it, the oldest goes.
struct Inboxes: Sendable {
    static let maximumPerPerson = 200
    static let maximumBytes = 64 << 20

    /// Oldest first.
    private(set) var mails: [Mail] = []
    private var bytes = 0

    subscript(id: String) -> Mail? { mails.first { $0.id == id } }

    /// Newest first.
    func mails(of person: String) -> [Mail] { mails.reversed().filter { $0.person == person } }

    mutating func file(_ mail: Mail) {
        let own = mails.indices.filter { mails[$0].person == mail.person }
        if own.count >= Self.maximumPerPerson { remove(at: own[0]) }
        mails.append(mail)
        bytes += mail.content.count
        while bytes > Self.maximumBytes { remove(at: 0) }
    }

    mutating func remove(id: String) {
        if let index = mails.firstIndex(where: { $0.id == id }) { remove(at: index) }
    }

    mutating func removeAll(of person: String) { removeAll { $0 == person } }

    mutating func removeAll(ofPeople isGone: (String) -> Bool) {
        mails.removeAll { isGone($0.person) }
        bytes = mails.reduce(0) { $0 + $1.content.count }
    }

    private mutating func remove(at index: Int) {
        bytes -= mails.remove(at: index).content.count
    }
}
