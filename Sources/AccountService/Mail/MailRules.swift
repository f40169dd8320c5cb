/// The times and limits of mail, and the decision about a mail after an attempt.
///
/// The database checks two limits, see ``AccountDatabase/SQLConnection/enqueue(_:)``: one mail of a kind a day to an
/// address, unless somebody's act has asked for it, and ``verificationsPerDay``.
package enum MailRules {
    /// The number of mails that one server sends at once.
    static let attemptsAtOnce = 4
    /// Longer than an attempt may take, and the note of its outcome.
    static let leaseTime: Duration = .minutes(5)
    /// A mail that was tried for so long is parked.
    static let retryPeriod: Duration = .days(3)
    /// A mail that the relay didn't take is tried this often, because Apple's notification may get lost, and a relay
    /// address has room again the next day. If Apple's own word holds the mail, only another word of Apple's releases
    /// it: a mail server in between takes every mail, and Apple's refusal comes too late.
    static let heldInterval: Duration = .days(1)
    /// The time of the next attempt at a mail that is not tried before something releases it: Apple's word that it
    /// forwards mail again, or the end of a deletion.
    static let untilReleased = Timestamp(microseconds: .max)
    /// How long a mail stays in the queue at most, whatever becomes of it.
    static let lifetime: Duration = .days(30)
    /// How long a mail of a kind stays in the queue at most: no longer than its link is good.
    static func lifetime(of kind: Mail.Kind) -> Duration {
        switch kind {
        case .verifyAddress: Profiles.pendingLifetime
        case .addressChanged: Profiles.takeBackLifetime
        case .newDevice: NewDeviceMail.linkLifetime
        case .signUp, .signInLink, .passwordReset, .linkAddress: EmailLink.lifetime
        default: lifetime
        }
    }

    /// The time for which the limits count.
    static let day: Duration = .days(1)
    /// Mails that ask an address to be confirmed, in a day: for one account, and to one address.
    static let verificationsPerDay = 5
    /// Mails with links of sign-up, sign-in and reset to one address in a day, with those that are sent instead. If the
    /// address has an email identity, the limit is for each network that asks, and for the person's own sessions.
    static let linksPerDay: Int64 = 5
    /// Mails with links to one address that has an email identity, in a day, from all networks together.
    static let linksPerDayOfAccount: Int64 = 30
    /// Requests of one account for links that add an address to it, in a day, whatever they lead to.
    static let linkRequestsPerDay: Int64 = 30
    /// The time after which an address with an email identity gets another link beyond these limits: at most 48 in a
    /// day.
    static let linkInterval: Duration = .minutes(30)
    /// Mails that Apple's relay takes for one address in a day.
    package static let relayMailsPerDay = 100
    /// How long it is remembered which accounts an announcement has gone to.
    static let announcementRetention: Duration = .days(365)

    /// Which mails go first: those of a lower number. Somebody may wait for a mail about their own doing, and a mail
    /// about a new device is urgent. An announcement may have a hundred thousand mails, so they go last.
    static func priority(of kind: Mail.Kind) -> Int64 {
        kind == .announcement ? 1 : 0
    }

    /// The state of a mail after an attempt.
    enum Outcome: Hashable {
        case delivered
        case again(at: Timestamp, failure: String)
        /// Apple's relay doesn't take the mail now.
        case heldByRelay(until: Timestamp, failure: String)
        case parked(failure: String)
    }

    /// Decides about a mail after an attempt.
    /// - Parameter random: any number; see ``RetryBackoff/delay(after:random:)``.
    static func outcome(of answer: MailAnswer, for mail: PendingMail, at now: Timestamp, random: UInt64) -> Outcome {
        switch answer {
        case .delivered: return .delivered
        case .refused(let failure): return .parked(failure: word(failure))
        case .held(let failure): return .heldByRelay(until: now + heldInterval, failure: word(failure))
        case .postponed(let failure):
            // The time for which a mail was held doesn't count as failing.
            guard mail.wasHeldByRelay || now - mail.waitingSince < retryPeriod else {
                return .parked(failure: word(failure))
            }
            return .again(
                at: now + RetryBackoff.mail.delay(after: mail.attempts, random: random), failure: word(failure))
        }
    }

    /// Returns a failure if it is a fixed word, else `other`: a sender's own text may hold an address.
    static func word(_ failure: String) -> String {
        let isWord =
            (1...40).contains(failure.utf8.count)
            && failure.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
        return isWord ? failure : MailFailure.other.rawValue
    }
}

extension RetryBackoff {
    /// Mails: a minute, so that one that greylisting has put off comes again soon, then twice as long each time, up to
    /// four hours.
    static let mail = Self(first: .seconds(60), maximum: .hours(4))
}
