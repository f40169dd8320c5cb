import AccountAPI
import Foundation

import enum OpenAuthenticationServices.ServiceError

extension ClientCore {
    /// For how long a state counts while the account service cannot be asked.
    private static let standingLifetime: Int64 = 30 * 86_400
    private static let timeToAsk = Duration.seconds(10)
    private static let timeToAskAtTheEnd = Duration.seconds(5)

    /// Of whoever is signed in, or was until Apple's word ended the session.
    func credentialState() async throws -> CredentialState {
        guard try await loaded().session != nil else { return try await formerState() }
        let standing: AppleStanding
        do {
            standing = try await call(doing: "asking for the credential's state") { token throws(ServiceError) in
                try await self.standing(token)
            }
            // An access token may still ask when Apple's word has ended its session. A person who has had the account
            // service revoke goes on with theirs.
            if standing.isEnded { _ = try await reloadAccount() }
        } catch let error as AccountClientError where error.code == .sessionEnded {
            // The way to the end has asked.
            guard let known = record?.ended?.standing else { throw error }
            return try Self.state(known)
        }
        guard let session = record?.session else { return try Self.state(standing) }
        record?.session?.standing = standing
        if standing.isEnded, session.standing?.isEnded != true { environment.appleAccessEnded() }
        // Storage may be slow, and has to have it right only now and then.
        if standing.isNews(after: session.standing) { try await save() }
        return try Self.state(standing)
    }

    /// As Apple's `getCredentialState` answers: an error beside a state says that it is the last one known.
    func credentialState(forUserID user: String) async -> (state: CredentialState, error: (any Error)?) {
        do {
            let record = try await loaded()
            guard [record.session?.user, record.ended?.user].contains(user) else { return (.notFound, nil) }
            return (try await withDeadline(Self.timeToAsk) { try await $0.credentialState() }, nil)
        } catch let error as AccountClientError where error.code == .notSignedIn {
            return (.notFound, nil)
        } catch let error as AccountClientError where error.code == .sessionEnded && record?.ended == nil {
            // Ended, and not by Apple's word.
            return (.notFound, nil)
        } catch {
            return (lastKnownState(of: user) ?? .notFound, error)
        }
    }

    private func lastKnownState(of user: String) -> CredentialState? {
        let standing: AppleStanding?
        if let session = record?.session, session.user == user {
            // Stored by a version that did not ask.
            guard session.standing != nil else { return .authorized }
            standing = session.standing
        } else {
            standing = record?.ended?.user == user ? record?.ended?.standing : nil
        }
        guard let standing, now - standing.askedAt < Self.standingLifetime else { return nil }
        return CredentialState(word: standing.state)
    }

    var now: Int64 { Int64(environment.date().timeIntervalSince1970) }

    // MARK: After the end

    /// What is known at a session's end. It is the account service that knows who ended it.
    enum Ending {
        /// Apple's word did, and this is how the person stands now.
        case byApple(AppleStanding)
        case otherwise
        /// The account service could not be asked.
        case unknown
    }

    /// Asks with the refresh token, which is good for that alone now.
    func ending(_ code: ErrorCode, of refreshToken: String) async -> Ending {
        guard code != .refreshTokenReused else { return .otherwise }
        do {
            return .byApple(
                try await withDeadline(Self.timeToAskAtTheEnd) { core in
                    try await core.standing(refreshToken)
                })
        } catch let error as ServiceError {
            if case .answered(let status, _, _, _) = error, status < 500, !error.isTransient { return .otherwise }
            return .unknown
        } catch {
            return .unknown
        }
    }

    private func formerState() async throws -> CredentialState {
        guard let ended = record?.ended else { throw nobody }
        let era = self.era
        let standing: AppleStanding
        do throws(ServiceError) {
            standing = try await self.standing(ended.refreshToken)
        } catch {
            guard error.isAboutAccessToken || error.code == .accessTokenMissing else {
                throw AccountClientError(error, doing: "asking for the credential's state")
            }
            // Not Apple's word, or long ago.
            if era == self.era {
                record?.ended = nil
                try await save()
            }
            throw nobody
        }
        guard era == self.era, record?.ended != nil else { return try Self.state(standing) }
        record?.ended?.standing = standing
        if standing.isEnded, ended.standing?.isEnded != true {
            signOutReason = .appleAccessEnded
            publish()
            environment.appleAccessEnded()
        }
        if standing.isNews(after: ended.standing) { try await save() }
        return try Self.state(standing)
    }

    private func standing(_ token: String) async throws(ServiceError) -> AppleStanding {
        let answer = try await connection.send(
            "GET", "/v1/apple/credential-state", accessToken: token, as: CredentialStateAnswer.self)
        return AppleStanding(state: answer.credentialState, askedAt: now)
    }

    private static func state(_ standing: AppleStanding) throws(AccountClientError) -> CredentialState {
        guard let state = CredentialState(word: standing.state) else {
            throw AccountClientError(
                .invalidResponse, "the account service knows a state of credentials that this library does not")
        }
        return state
    }
}

extension EndedSession {
    init(_ session: StoredSession, _ standing: AppleStanding?) {
        self.init(user: session.user, refreshToken: session.refreshToken, standing: standing)
    }
}

extension AppleStanding {
    /// Whether it is worth to be written where the former is.
    fileprivate func isNews(after former: Self?) -> Bool {
        former?.state != state || askedAt - (former?.askedAt ?? 0) > 86_400
    }
}
