import AppleID
import AppleIDTypes
import CoreMetrics
import Foundation
import Logging
import ServiceLifecycle
import TaskSignals

/// Carries out what transactions have decided and only Apple can do: it revokes tokens, and redeems codes that could not
/// be redeemed at once.
///
/// Entries are taken by a lease, a few at a time, codes beside the others. After each failure the next attempt is
/// postponed for longer. A revocation is never dropped: when our configuration is wrong, or after seven days, it is
/// parked, which the log and a counter tell.
package struct Outbox: NamedService {
    /// The time between two looks for entries of other servers, entries whose wait is over, and entries of a server that
    /// died.
    private static let interval: Duration = .seconds(5)
    /// The number of entries that are tried at once.
    static let batchSize = 8
    /// Longer than Apple can be waited for.
    static let leaseTime: Duration = .minutes(2)
    /// The time after which a revocation that Apple has not accepted is parked.
    static let retryPeriod: Duration = .days(7)
    static let codeLifetime: Duration = .minutes(5)

    let apple: AppleIDClient
    let store: AccountTransactions
    let tokenSeal: Seal
    let codeSeal: Seal
    let signal: OutboxSignal
    let finishing: FinishingWork
    let environment: AppleIDEnvironment
    let instrumentation: AppleIDInstrumentation
    let logger: Logger

    var now: Timestamp { Timestamp(environment.now()) }

    /// Works until the shutdown, and finishes the attempts under way.
    package func run() async {
        await withTaskGroup { group in
            group.addTask {
                await cancelWhenGracefulShutdown {
                    while (try? await Task.sleep(for: Self.interval)) != nil { signal.notify() }
                }
            }
            signal.notify()
            await withTaskGroup { lanes in
                for lane in Self.lanes { lanes.addTask { await work(on: lane) } }
            }
            group.cancelAll()
        }
    }

    /// Codes come first, because redeeming one may order a revocation.
    private static let lanes = [OutboxLane.codes, .others]

    private func work(on lane: OutboxLane) async {
        for await _ in signal.changes(for: lane).cancelOnGracefulShutdown() {
            do {
                try await drain(lane)
            } catch {
                logger.warning(
                    "The outbox could not be read; the next round tries again.", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Tries everything that is due now.
    package func drain() async throws {
        for lane in Self.lanes { try await drain(lane) }
    }

    private func drain(_ lane: OutboxLane) async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let lease = QueueLease(of: Self.batchSize, for: Self.leaseTime, environment)
            let entries = try await store.leaseOutbox(lease, on: lane)
            guard !entries.isEmpty else { return }
            await withTaskGroup { group in
                for entry in entries {
                    group.addTask { await tryOnce(entry, owner: lease.owner) }
                }
            }
        }
    }

    /// Asks Apple about one entry, and notes the outcome. Shutdown and cancellation don't stop it, because Apple may have done
    /// what was asked.
    private func tryOnce(_ entry: OutboxEntry, owner: String) async {
        do {
            try await finishing.perform { [self] in
                let outcome = await attempt(entry)
                report(outcome, of: entry)
                try await note(outcome, of: entry, owner: owner)
            }
        } catch {
            // The lease runs out, and the entry is tried again. It does no harm to revoke a token twice.
            logger.warning(
                "What became of an entry of the outbox could not be noted.",
                metadata: ["entry": "\(entry.id)", "kind": "\(entry.kind.rawValue)", "error": "\(error)"])
        }
    }

    /// Writes the outcome. If it has a token, a failed write is repeated for a while, because Apple redeems a code once.
    private func note(_ outcome: OutboxOutcome, of entry: OutboxEntry, owner: String) async throws {
        do {
            _ = try await store.endOutboxAttempt(entry.id, owner: owner, outcome, at: now)
        } catch {
            guard outcome.bringsToken else { throw error }
            do {
                _ = try await environment.repeating {
                    try await store.endOutboxAttempt(entry.id, owner: owner, outcome, at: now)
                }
            } catch {
                logger.error(
                    "A refresh token of Apple's that a code brought is lost: it could not be written down.",
                    metadata: [
                        "entry": "\(entry.id)", "client": "\(entry.clientID?.rawValue ?? "none")", "error": "\(error)",
                    ])
            }
        }
    }

    private func attempt(_ entry: OutboxEntry) async -> OutboxOutcome {
        switch entry.kind {
        case .revocation: await revoke(entry)
        case .code: await redeem(entry)
        default: .again(at: now + .minutes(1), failure: "kind_unknown")
        }
    }

    /// Returns the time of an entry's next attempt.
    func nextAttempt(of entry: OutboxEntry, by backoff: RetryBackoff) -> Timestamp {
        now + backoff.delay(after: entry.attempts, random: environment.randomNumber())
    }

    private func report(_ outcome: OutboxOutcome, of entry: OutboxEntry) {
        let (word, failure): (String, String?) =
            switch outcome {
            case .done, .redeemed: ("done", nil)
            case .expired(let failure): ("expired", failure)
            case .again(_, let failure), .answered(_, _, let failure): ("again", failure)
            case .parked(let failure): ("parked", failure)
            }
        Counter(
            label: "accounts.outbox", dimensions: [("kind", entry.kind.rawValue), ("outcome", word)],
            factory: instrumentation.metrics
        ).increment()
        guard let failure else { return }
        var metadata: Logger.Metadata = [
            "entry": "\(entry.id)", "kind": "\(entry.kind.rawValue)", "failure": "\(failure)",
            "attempts": "\(entry.attempts)",
        ]
        if let client = entry.clientID { metadata["client"] = "\(client)" }
        switch outcome {
        case .parked:
            logger.error("An entry of the outbox is parked: an operator must act.", metadata: metadata)
        case .again, .answered:
            logger.info("An entry of the outbox is tried again later.", metadata: metadata)
        default:
            logger.warning("An entry of the outbox came to nothing.", metadata: metadata)
        }
    }
}

extension OutboxOutcome {
    fileprivate var bringsToken: Bool {
        switch self {
        case .redeemed(let token, _): token != nil
        case .answered: true
        case .done, .expired, .again, .parked: false
        }
    }
}

extension Outbox {
    /// Redeems a code that had to wait, and compares Apple's answer with the identity token of the sign-in, as it would have
    /// been compared then. If Apple has answered already, it verifies that answer.
    ///
    /// The code may have reached Apple before, so a refusal says nothing about the person's authorization and ends no
    /// session.
    func redeem(_ entry: OutboxEntry) async -> OutboxOutcome {
        guard let client = entry.clientID, let sealed = entry.sealed else { return .expired(failure: "incomplete") }
        let json: [UInt8]
        do {
            json = try codeSeal.open(sealed, row: entry.id.rawValue, client: client.rawValue)
        } catch {
            // The key ring lacks the key: it can be mended, and a token of Apple's may be in there.
            return .parked(failure: AccountError.Code.configuration.description)
        }
        // A code that the seal opens and that cannot be read now can never be read.
        guard let waiting = try? JSONDecoder().decode(WaitingCode.self, from: Data(json)) else {
            return .expired(failure: "unreadable")
        }
        do {
            if let answer = waiting.answer {
                return try await verify(answer, to: waiting, client: client, givenAt: entry.createdAt)
            }
            guard now - entry.createdAt < Self.codeLifetime else { return .expired(failure: "too_old") }
            return try await redeem(waiting, of: entry, client: client)
        } catch let error as AppleIDError where error.isWorthWaitingFor {
            return .again(
                at: nextAttempt(of: entry, by: waiting.answer == nil ? .code : .answer),
                failure: error.code.description)
        } catch let error as AppleIDError where error.code == .unknownKey && waiting.answer != nil {
            // Apple's servers do not all know a new key at the same moment. The entry ends when the token expires.
            return .again(at: nextAttempt(of: entry, by: .answer), failure: error.code.description)
        } catch let error as AppleIDError {
            return .expired(failure: error.code.description)
        } catch {
            return .expired(failure: AccountError.Code.configuration.description)
        }
    }

    private func redeem(
        _ waiting: WaitingCode, of entry: OutboxEntry, client: ClientID
    ) async throws -> OutboxOutcome {
        guard let identity = try await identity(beside: waiting, client: client) else {
            return .expired(failure: "incomplete")
        }
        let asked = now
        do {
            let grant = try await apple.exchange(
                code: AuthorizationCode(waiting.code), client: client, nonce: .proven(by: identity),
                redirectURI: waiting.redirectURI)
            return try redeemed(grant.refreshToken, identity, at: asked)
        } catch let error as AppleIDError {
            switch UnverifiedAnswer(error, isBound: identity.claims.codeHash != nil) {
            case .known(let token): return try redeemed(token, identity, at: asked)
            case .later(let answer):
                var answered = waiting
                answered.answer = answer
                return .answered(
                    sealed: try codeSeal.seal(
                        Array(try JSONEncoder().encode(answered)), row: entry.id.rawValue, client: client.rawValue),
                    verifyAt: nextAttempt(of: entry, by: .answer), failure: error.code.description)
            case .left, nil: throw error
            }
        }
    }

    private func verify(
        _ answer: WaitingCode.Answer, to waiting: WaitingCode, client: ClientID, givenAt moment: Timestamp
    ) async throws -> OutboxOutcome {
        let beside = try await identity(beside: waiting, client: client)
        let identity = try await apple.verify(
            answer.identityToken, for: client, beside: answer.accessToken.map { AccessToken($0) },
            nonce: beside.map { .proven(by: $0) } ?? waiting.exchangeNonce)
        return try redeemed(RefreshToken(answer.refreshToken), identity, at: moment)
    }

    /// Returns the identity of the token that came beside the code; nil without one.
    private func identity(beside waiting: WaitingCode, client: ClientID) async throws -> VerifiedIdentity? {
        guard let token = waiting.identityToken else { return nil }
        return try await apple.identityVerifier.verify(
            token,
            expecting: IdentityExpectation(
                audiences: [client], nonce: waiting.expectation, acceptsUnsupportedNonce: waiting.answer != nil,
                authorizationCode: .ifPresent(waiting.code)))
    }

    /// - Parameter moment: a time no later than Apple gave the token, so that it doesn't replace a newer token.
    private func redeemed(
        _ token: RefreshToken?, _ identity: VerifiedIdentity, at moment: Timestamp
    ) throws -> OutboxOutcome {
        guard let team = apple.clients[identity.audience]?.team else {
            throw AppleIDError(.unknownClient, "the client of a code is not configured any more")
        }
        let kept = try token.map { token in
            try AppleToken(
                sealing: token, client: identity.audience, with: tokenSeal, at: moment,
                randomness: environment.randomBytes(10))
        }
        return .redeemed(kept, of: TokenOwner(identity, team: team))
    }
}

extension AppleIDError {
    /// Whether the same code may be redeemed a little later: Apple could not be asked, or our configuration is wrong and an
    /// operator may mend it.
    var isWorthWaitingFor: Bool {
        switch kind {
        case .transient, .configuration: true
        // If Apple did answer, the code is used.
        case .signInAgain: !(cause is UnverifiedGrant)
        case .token, .grantIsDead, .onePerson: false
        }
    }
}

extension Outbox {
    /// Revokes a token at Apple. A token that Apple calls dead counts as revoked.
    func revoke(_ entry: OutboxEntry) async -> OutboxOutcome {
        guard let client = entry.clientID, let sealed = entry.sealed else {
            return .parked(failure: "incomplete")
        }
        do {
            let token = try tokenSeal.open(sealed, row: entry.id.rawValue, client: client.rawValue)
            try await apple.revoke(RefreshToken(String(decoding: token, as: UTF8.self)), client: client)
            return .done
        } catch let error as AppleIDError where error.kind == .grantIsDead {
            return .done
        } catch let error as AppleIDError where error.kind != .configuration {
            guard now - entry.waitingSince < Self.retryPeriod else {
                return .parked(failure: error.code.description)
            }
            return .again(at: nextAttempt(of: entry, by: .revocation), failure: error.code.description)
        } catch let error as AppleIDError {
            return .parked(failure: error.code.description)
        } catch {
            // The key ring lacks the key: it can be mended.
            return .parked(failure: AccountError.Code.configuration.description)
        }
    }
}

/// Notifies the lanes of this process's outbox that there may be entries.
struct OutboxSignal: Sendable {
    private let codes = ChangeSignal()
    private let others = ChangeSignal()

    /// The signal of a lane, for the one task that works on the lane.
    func changes(for lane: OutboxLane) -> ChangeSignal {
        lane == .codes ? codes : others
    }

    func notify() {
        codes.notify()
        others.notify()
    }
}
