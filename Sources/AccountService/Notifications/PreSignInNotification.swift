import AccountDatabase
import AppleIDTypes

/// Apple's last word on the forwarding of somebody's mail before they had signed in here.
struct PreSignInNotification {
    var forwardsEmail: Bool
    var happenedAt: Timestamp
}

extension SQLConnection {
    /// Reads the notifications about a person without an identity here, since Apple issued the token that now signs
    /// them in: a notification may be faster than the sign-in, and a token may be presented minutes after it was
    /// issued.
    ///
    /// Throws `AccountError` with the code `tokenTooOld` when the person has stopped using the app since.
    /// - Returns: the last notification about forwarding, if there is one.
    func preSignInNotification(of person: SignInRecord.Person, _ proof: AppleProof) throws -> PreSignInNotification? {
        let words = try query(
            .earlyNotifications,
            [
                .text(person.team), .text(person.subject), .time(proof.authorizedAt),
                .text(AppleNotification.hashedSubject(person.subject, team: person.team)),
            ]
        ) { columns in
            try (
                change: columns.text(as: "a change", AppleNotification.Change.init(word:)),
                happenedAt: columns.time()
            )
        }
        var last: PreSignInNotification?
        for word in words {
            switch word.change {
            case .consentRevoked where word.happenedAt > proof.until,
                .accountDeleted where word.happenedAt > proof.until:
                throw AccountError(
                    .tokenTooOld, "the identity token was issued before the person stopped using the app")
            case .emailForwarding(let isOn):
                last = PreSignInNotification(forwardsEmail: isOn, happenedAt: word.happenedAt)
            case .consentRevoked, .accountDeleted, .other:
                break
            }
        }
        return last
    }
}

extension SQLStatement {
    fileprivate static let earlyNotifications: Self = """
        SELECT change, happened_at FROM apple_notifications
        WHERE team = ?1 AND subject IN (?2, ?4) AND happened_at >= ?3 AND outcome <> 'expected'
        ORDER BY happened_at LIMIT 100
        """
}
