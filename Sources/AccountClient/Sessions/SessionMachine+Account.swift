import AccountAPI

/// The requests that bring an answer of the service: the account, the tokens of a reauthentication, or the person's standing
/// at Apple.
extension SessionMachine {
    mutating func accountTold(
        _ account: AccountBody, _ epoch: SessionEpoch, _ version: AccountVersion, for id: RequestID
    ) {
        guard epoch == self.epoch, let session = record?.session else { return fail(id, earlierSessionError) }
        guard version == accountVersion || session.account == account else { return succeed(id) }
        accountChanged(account, epoch, for: id)
    }

    mutating func accountChanged(_ account: AccountBody, _ epoch: SessionEpoch, for id: RequestID) {
        guard epoch == self.epoch, let session = record?.session else { return fail(id, earlierSessionError) }
        takeAccount(account)
        isConfirmed = true
        publish()
        guard session.account != account else { return succeed(id) }
        save(then: .reply(id))
    }

    /// Adopts the account in an answer of the service. Answers to calls that began earlier are older, and are dropped.
    mutating func takeAccount(_ account: AccountBody) {
        accountVersion.advance()
        record?.session?.account = account
    }

    mutating func reauthenticated(
        _ answer: ReauthenticationAnswer, user: String?, _ epoch: SessionEpoch, for id: RequestID
    ) {
        guard epoch == self.epoch, let session = record?.session else { return succeed(id) }
        // The new token also proves to other services that the person was there.
        access = AccessToken(token: answer.accessToken, expiresAt: now.instant + .seconds(answer.expiresIn))
        guard let user, session.user != user else { return succeed(id) }
        // The account went over to Apple on another device.
        record?.session?.user = user
        publish()
        save(then: .reply(id))
    }

    mutating func standingTold(_ standing: AppleStanding, _ epoch: SessionEpoch, for id: RequestID) {
        guard epoch == self.epoch, let session = record?.session else { return succeed(id) }
        record?.session?.standing = standing
        if standing.isEnded, session.standing?.isEnded != true { act(.announceAppleAccessEnded) }
        // Storage may be slow, and has to have it right only now and then.
        guard standing.isNews(after: session.standing) else { return succeed(id) }
        save(then: .reply(id))
    }

    mutating func formerStandingTold(_ standing: AppleStanding?, _ epoch: SessionEpoch, for id: RequestID) {
        guard epoch == self.epoch, let former = record?.ended else { return succeed(id) }
        record?.ended?.standing = standing
        if let standing {
            if standing.isEnded, former.standing?.isEnded != true {
                signOutReason = .appleAccessEnded
                publish()
                act(.announceAppleAccessEnded)
            }
            guard standing.isNews(after: former.standing) else { return succeed(id) }
        } else {
            record?.ended = nil
        }
        save(then: .reply(id))
    }
}
