import AppleID
package import AppleIDTypes
import Foundation

/// A task for Apple, written in the transaction that decided it, and tried until it is done.
package struct OutboxEntry: Hashable, Sendable {
    /// The kind of work that is to be done. Other words may be added, and an older program leaves them to a newer one.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A refresh token is to be revoked at Apple. Sealed: the token. Tried until Apple has accepted it.
        package static let revocation = Self(rawValue: "revocation")
        /// An authorization code is to be redeemed at Apple. Sealed: a ``WaitingCode``. Tried until it is too old.
        package static let code = Self(rawValue: "code")
    }

    package enum State: String, Hashable, Sendable {
        case waiting
        /// Nothing is tried any more until somebody says so; ``OutboxEntry/failure`` says why.
        case parked
        case done
        /// Not to be done any more: the person came back.
        case withdrawn
        /// Given up: a code that is too old, or that Apple does not redeem.
        case expired

        /// Whether anything is left to do; an entry with nothing left to do holds no secret.
        package var isOpen: Bool { self == .waiting || self == .parked }
    }

    /// How long the revocation of a token is postponed that no sign-in uses and that nobody has wanted revoked. Its person is
    /// likely to try again, and the revocation would end the new authorization, too.
    package static let unusedTokenDelay: Duration = .minutes(10)

    /// How long an entry is remembered after nothing was left to do.
    package static let retention: Duration = .days(30)

    package var id: OutboxID
    package var kind: Kind
    package var state: State
    /// The client whose key Apple is asked with.
    package var clientID: ClientID?
    /// Bound to ``id`` and ``clientID``; nil once nothing is left to do.
    package var sealed: [UInt8]?
    /// The person whom the entry is about, in a form that outlives the account and names nobody. See
    /// ``TokenHash/person(team:subject:)``.
    package var personHash: TokenHash?
    /// The identity that keeps the token of a code, or that had the token to be revoked; it may be gone.
    package var identityID: IdentityID?
    /// The deletion that waits for it.
    package var deletionHash: TokenHash?
    /// The number of attempts that were begun.
    package var attempts: Int64
    package var createdAt: Timestamp
    /// Since when it is being tried: its creation, or when it last left being parked.
    package var waitingSince: Timestamp
    package var nextAttemptAt: Timestamp
    /// Why the last attempt failed: the code of an error.
    package var failure: String?
    /// When nothing was left to do any more.
    package var finishedAt: Timestamp?

    package init(
        id: OutboxID, kind: Kind, state: State = .waiting, clientID: ClientID?, sealed: [UInt8]?,
        personHash: TokenHash?, identityID: IdentityID? = nil, deletionHash: TokenHash? = nil, attempts: Int64 = 0,
        createdAt: Timestamp, waitingSince: Timestamp? = nil, nextAttemptAt: Timestamp? = nil, failure: String? = nil,
        finishedAt: Timestamp? = nil
    ) {
        self.id = id
        self.kind = kind
        self.state = state
        self.clientID = clientID
        self.sealed = sealed
        self.personHash = personHash
        self.identityID = identityID
        self.deletionHash = deletionHash
        self.attempts = attempts
        self.createdAt = createdAt
        self.waitingSince = waitingSince ?? createdAt
        self.nextAttemptAt = nextAttemptAt ?? createdAt
        self.failure = failure
        self.finishedAt = finishedAt
    }
}

extension OutboxEntry {
    /// The revocation of a token, which takes over its id and seal.
    /// - Parameter identityID: nil for one that goes with its account.
    package init(
        revoking token: AppleToken, personHash: TokenHash?, identityID: IdentityID? = nil,
        deletionHash: TokenHash? = nil, at moment: Timestamp
    ) {
        self.init(
            id: OutboxID(rawValue: token.id.rawValue), kind: .revocation, clientID: token.clientID,
            sealed: token.sealed, personHash: personHash, identityID: identityID, deletionHash: deletionHash,
            createdAt: moment)
    }
}

/// A code that could not be redeemed when its person signed in, or Apple's answer to one, with all that the answer must
/// fit.
struct WaitingCode: Hashable, Sendable, Codable, Redacted {
    /// Apple's answer to a code, where its identity token could not be verified yet: the code is used.
    struct Answer: Hashable, Sendable, Codable, Redacted {
        var identityToken: String
        /// Nil where none could be read.
        var accessToken: String?
        var refreshToken: String
    }

    var code: String
    /// Nil where the code came alone.
    var identityToken: String?
    /// As it is expected in the token: raw as issued by us, or hashed by its app. Nil where there was none.
    var nonce: String?
    var isHashed: Bool
    var redirectURI: String?
    var answer: Answer?

    /// For the identity token that came beside the code.
    var expectation: NonceExpectation {
        guard let nonce else { return .noneSent }
        return isHashed ? .hashed(ofRaw: nonce) : .issued(nonce)
    }

    /// For the identity token in Apple's answer to a code that came alone. Where none was presented, the answer proves
    /// what it would have proven at once: it is taken if it has none either.
    var exchangeNonce: ExchangeNonce {
        guard let nonce else { return .noneSent }
        return isHashed ? .hashed(ofRaw: nonce) : .issued(nonce)
    }
}

extension WaitingCode {
    /// A code with the verified token that came beside it.
    init(_ verified: VerifiedToken, answer: Answer?) {
        let (nonce, isHashed): (String?, Bool) =
            switch verified.nonce {
            case .issued(let value): (value, false)
            case .hashed(let raw): (raw, true)
            case .noneSent: (nil, false)
            }
        self.init(
            code: verified.code?.rawValue ?? "", identityToken: verified.identityToken, nonce: nonce,
            isHashed: isHashed, redirectURI: verified.redirectURI, answer: answer)
    }

    /// A code that came alone.
    init(_ code: AuthorizationCode, nonce: ExchangeNonce?, answer: Answer) {
        let (nonce, isHashed): (String?, Bool) =
            switch nonce {
            case .issued(let value): (value, false)
            case .hashed(let raw): (raw, true)
            // No code that came alone has a token beside it.
            case .noneSent, .proven, nil: (nil, false)
            }
        self.init(
            code: code.rawValue, identityToken: nil, nonce: nonce, isHashed: isHashed, redirectURI: nil, answer: answer)
    }
}

extension RetryBackoff {
    /// Revocations: half a minute, then twice as long each time, up to six hours.
    static let revocation = Self(first: .seconds(30), maximum: .hours(6))
    /// Codes live for five minutes.
    static let code = Self(first: .seconds(5), maximum: .minutes(1))
    /// Answers of Apple's that wait for its key: they can be verified for a day at most.
    static let answer = Self(first: .seconds(30), maximum: .minutes(30))
}
