import AppleID
import AppleIDTypes
import CoreMetrics
import Logging
public import ServiceLifecycle

/// Does what transactions have decided and what takes somebody else's answer: revocations at Apple, and codes that
/// could not be redeemed at once.
///
/// Entries are taken by a lease, a few at a time, codes beside the rest; what fails rests longer each time. A
/// revocation is never dropped: when our configuration is wrong, or after seven days, it is parked, which the log and a
/// counter tell.
public struct Outbox: Service {
    /// For entries of other servers, those whose rest is over, and those that a crash left behind.
    private static let interval: Duration = .seconds(5)
    /// Entries that are tried at once.
    static let batch = 8
    /// Longer than Apple can be waited for.
    static let leaseTime: Duration = .minutes(2)
    /// A revocation that was tried for so long is parked.
    static let patience: Duration = .days(7)
    static let codeLifetime: Duration = .minutes(5)

    let apple: AppleIDClient
    let store: any AccountStore
    let tokenSeal: Seal
    let codeSeal: Seal
    let signal: OutboxSignal
    let finishing: FinishingWork
    let environment: AppleIDEnvironment
    let instrumentation: AppleIDInstrumentation
    let logger: Logger

    var now: Timestamp { Timestamp(environment.now()) }

    /// Until the shutdown; an attempt that was begun is finished.
    public func run() async {
        await withTaskGroup { group in
            group.addTask {
                await cancelWhenGracefulShutdown {
                    while (try? await Task.sleep(for: Self.interval)) != nil { signal.wake() }
                }
            }
            signal.wake()
            await withTaskGroup { lanes in
                for lane in Self.lanes { lanes.addTask { await work(on: lane) } }
            }
            group.cancelAll()
        }
    }

    /// What brings revocations first.
    private static let lanes = [OutboxLease.Lane.codes, .others]

    private func work(on lane: OutboxLease.Lane) async {
        for await _ in signal.signals(for: lane).cancelOnGracefulShutdown() {
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

    private func drain(_ lane: OutboxLease.Lane) async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let moment = now
            let lease = OutboxLease(
                owner: Base64URL.text(environment.randomBytes(16)), at: moment, until: moment + Self.leaseTime,
                limit: Self.batch, lane: lane)
            let entries = try await store.leaseOutbox(lease)
            guard !entries.isEmpty else { return }
            await withTaskGroup { group in
                for entry in entries {
                    group.addTask { await settle(entry, owner: lease.owner) }
                }
            }
        }
    }

    /// Neither a shutdown nor a cancellation stops it: Apple may have done what was asked.
    private func settle(_ entry: OutboxEntry, owner: String) async {
        do {
            try await finishing.perform { [self] in
                let outcome = await attempt(entry)
                report(outcome, of: entry)
                try await note(outcome, of: entry, owner: owner)
            }
        } catch {
            // Its lease runs out, and it is tried again: revoking twice does no harm.
            logger.warning(
                "What became of an entry of the outbox could not be noted.",
                metadata: ["entry": "\(entry.id)", "kind": "\(entry.kind.rawValue)", "error": "\(error)"])
        }
    }

    /// Apple redeems a code once: what it brought is written down as soon as the store answers.
    private func note(_ outcome: OutboxOutcome, of entry: OutboxEntry, owner: String) async throws {
        do {
            _ = try await store.settleOutbox(entry.id, owner: owner, outcome, at: now)
        } catch {
            guard outcome.bringsToken else { throw error }
            do {
                _ = try await environment.repeating {
                    try await store.settleOutbox(entry.id, owner: owner, outcome, at: now)
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

    func rest(_ entry: OutboxEntry, _ backoff: OutboxBackoff) -> Timestamp {
        let random = environment.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return now + backoff.delay(after: entry.attempts, random: random)
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
