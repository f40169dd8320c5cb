import AccountDatabase
import AppleIDTypes

/// The effect of the notifications that Apple sent about a person before an import brings the person.
struct EarlyNotifications: Sendable {
    /// Whether the person has deleted their Apple Account. Nobody can sign in with its subject again.
    var isAccountDeleted = false
    /// When the person stopped using the app with Apple, if they haven't signed in since.
    var accessEndedAt: Timestamp?
    /// The last notification about forwarding.
    var forwarding: PreSignInNotification?

    /// Adds a notification. The order in which they are added doesn't matter.
    /// - Parameter lastSignIn: the person's last sign-in with Apple; nil if it is unknown, so that each end counts.
    mutating func add(_ change: AppleNotification.Change, at moment: Timestamp, lastSignIn: Timestamp?) {
        switch change {
        case .accountDeleted: isAccountDeleted = true
        case .consentRevoked:
            guard lastSignIn.map({ moment >= $0 }) ?? true else { return }
            accessEndedAt = max(moment, accessEndedAt ?? moment)
        case .emailForwarding(let isOn):
            guard forwarding.map({ moment >= $0.happenedAt }) ?? true else { return }
            forwarding = PreSignInNotification(forwardsEmail: isOn, happenedAt: moment)
        case .other: break
        }
    }
}

extension PreparedPerson {
    /// The last time at which the person signed in with an identity; nil if the file doesn't tell.
    ///
    /// Other services tell the last sign-in of a person, by whichever identity.
    fileprivate func lastSignIn(with identity: ImportedIdentity) -> Timestamp? {
        if let exported = identity.exported { return exported.lastAuthorizedAt }
        let isOnlyIdentity = person.identities.count + person.otherProviders.count == 1 && !lacksAddress
        return isOnlyIdentity ? person.lastSignInAt : nil
    }
}

extension SQLConnection {
    /// Adds Apple's notifications about the people of a batch to a look-up. For a transaction that has locked the
    /// people, or one that only reads.
    func addNotifications(to found: inout ImportLookUp, of batch: ImportBatch) throws {
        // Before Apple's notifications come to this server, there are none.
        guard try returnsRow(.anyAppleNotification, []) else { return }
        var steps: [SQLStep] = []
        let box = FoundPeople(found.people)
        for (index, prepared) in batch.people.enumerated() {
            for (number, identity) in prepared.person.identities.enumerated() where identity.provider == .apple {
                let lastSignIn = prepared.lastSignIn(with: identity)
                let values: [SQLValue] = try [
                    .text(identity.team), .text(identity.subject),
                    .text(AppleNotification.hashedSubject(prepared.identities[number].personHash)),
                ]
                steps.append(
                    SQLStep(.notificationsOfImported, values) { columns in
                        let change = try columns.text(as: "a change", AppleNotification.Change.init(word:))
                        let moment = try columns.time()
                        box.set(index) { found in
                            found.notifications[number, default: EarlyNotifications()].add(
                                change, at: moment, lastSignIn: lastSignIn)
                            if change == .accountDeleted { found.knowledge.deletedAtApple.insert(number) }
                        }
                    })
            }
        }
        _ = try run(steps)
        found.people = box.people
    }
}
