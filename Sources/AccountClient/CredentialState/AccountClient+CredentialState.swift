import AccountAPI
import AccountConnection
import Foundation

#if canImport(Darwin)
    public import AuthenticationServices
#else
    public import OpenAuthenticationServices
#endif

extension AccountClient {
    /// Asks the account service whether the person still uses the app with their Apple Account. Apps call it at their
    /// start and when they come to the front.
    ///
    /// - `revoked`: the person has stopped using the app, and the session has ended, here too by the time this
    ///   returns; or they had ``revokeToken(promptingIfNeeded:presentationAnchor:)`` do it, and the session goes on.
    /// - `notFound`: their Apple Account is gone.
    /// - `transferred`: the app belongs to another team now, under which the person has another user identifier. The
    ///   session goes on. Perform a request whose `user` is the stored identifier, and sign in with its credential,
    ///   which has the new one.
    ///
    /// For a session that was opened without Apple it is `notFound`.
    ///
    /// A session that ended because the person left at Apple may be asked about for thirty days.
    ///
    /// Throws as ``accessToken()`` does: a service that does not answer is `backendUnavailable`, and never `revoked`.
    public func credentialState() async throws(AccountClientError) -> ASAuthorizationAppleIDProvider.CredentialState {
        try await calls.credentialState()
    }
}

typealias CredentialState = ASAuthorizationAppleIDProvider.CredentialState

extension AccountCalls {
    /// The number of seconds for which a state counts while the account service can't be asked.
    private static let standingLifetime: Int64 = 30 * 86_400
    private static let timeToAsk = Duration.seconds(10)

    /// Returns the state of the person who is signed in, or was until they left at Apple.
    func credentialState() async throws(AccountClientError) -> CredentialState {
        guard let stored = try await session.ask(.read).session else { return try await formerState() }
        let account = stored.account.id
        // A person who signs in without Apple has no relation that could have ended.
        guard try await isByApple() else { return .notFound }
        let answered: Answered<AppleStanding>
        do throws(AccountClientError) {
            answered = try await answer(doing: "asking for the credential's state", as: account) {
                token throws(ServiceError) in
                try await service.standing(token)
            }
            // An access token may still ask when the person has left at Apple and the session has ended. A person who
            // has had the account service revoke goes on with their session.
            if answered.value.isEnded { _ = try await reloadAccount() }
        } catch let error where error.code == .sessionEnded {
            // The service was asked when the session ended.
            guard let known = await session.snapshot.record.ended?.standing else { throw error }
            return try known.credentialState
        }
        _ = try await session.ask(.standingTold(answered.value, answered.epoch))
        return try answered.value.credentialState
    }

    /// Answers as Apple's `getCredentialState` does: an error beside a state says that it is the last one known.
    func credentialState(forUserID user: String) async -> (state: CredentialState, error: (any Error)?) {
        do throws(AccountClientError) {
            let record = try await session.ask(.read).record
            guard [record.session?.user, record.ended?.user].contains(user) else { return (.notFound, nil) }
            return (
                try await environment.withDeadline(Self.timeToAsk) { () async throws(AccountClientError) in
                    try await credentialState()
                }, nil
            )
        } catch {
            let record = await session.snapshot.record
            switch error.code {
            case .notSignedIn: return (.notFound, nil)
            // The session has ended, and not because the person left at Apple.
            case .sessionEnded where record.ended == nil: return (.notFound, nil)
            default: return (lastKnownState(of: user, in: record) ?? .notFound, error)
            }
        }
    }

    /// Returns the SHA-256 of a person's `transfer_sub`, after the app has moved to another team. Only the same
    /// person's identity token has it.
    func transferSubjectHash(forUserID user: String) async -> String? {
        guard await credentialState(forUserID: user).state == .transferred else { return nil }
        let record = await session.snapshot.record
        if let session = record.session, session.user == user { return session.standing?.transferSubjectHash }
        return record.ended?.user == user ? record.ended?.standing?.transferSubjectHash : nil
    }

    private func lastKnownState(of user: String, in record: StoredRecord) -> CredentialState? {
        let standing: AppleStanding?
        if let session = record.session, session.user == user {
            // Stored by a version that did not ask.
            guard session.standing != nil else { return .authorized }
            standing = session.standing
        } else {
            standing = record.ended?.user == user ? record.ended?.standing : nil
        }
        guard let standing, environment.secondsSince1970 - standing.askedAt < Self.standingLifetime else {
            return nil
        }
        return CredentialState(word: standing.state)
    }

    /// The state of the person whose session ended last.
    private func formerState() async throws(AccountClientError) -> CredentialState {
        let now = try await session.ask(.read)
        guard let ended = now.record.ended else { throw now.notSignedInError }
        let standing: AppleStanding
        do throws(ServiceError) {
            standing = try await service.standing(ended.refreshToken)
        } catch {
            guard error.isAboutAccessToken || error.code == .accessTokenMissing else {
                throw AccountClientError(error, doing: "asking for the credential's state")
            }
            // It ended for another reason, or long ago.
            throw try await session.ask(.formerStandingTold(nil, now.epoch)).notSignedInError
        }
        _ = try await session.ask(.formerStandingTold(standing, now.epoch))
        return try standing.credentialState
    }
}

extension ASAuthorizationAppleIDProvider.CredentialState {
    /// - Parameter word: the account service's; the result is nil for one that this library does not know yet.
    init?(word: String) {
        switch word {
        case "authorized": self = .authorized
        case "revoked": self = .revoked
        case "notFound": self = .notFound
        case "transferred": self = .transferred
        default: return nil
        }
    }
}

extension AppleStanding {
    /// Whether the person has stopped using the app with their Apple Account, or that is gone.
    var isEnded: Bool { state == "revoked" || state == "notFound" }

    /// Whether storage needs to have this in place of the former one.
    func isNews(after former: Self?) -> Bool {
        former?.state != state || former?.transferSubjectHash != transferSubjectHash
            || askedAt - (former?.askedAt ?? 0) > 86_400
    }

    fileprivate var credentialState: CredentialState {
        get throws(AccountClientError) {
            guard let state = CredentialState(word: state) else {
                throw AccountClientError(
                    .invalidResponse, "the account service knows a state of credentials that this library does not")
            }
            return state
        }
    }
}
