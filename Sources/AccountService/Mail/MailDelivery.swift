import AppleID
import CoreMetrics
import Logging
import ServiceLifecycle
import TaskSignals

/// Sends the mails in the queue, until the mail server has taken each.
///
/// Mails are taken by a lease, a few at a time, so a slow mail server holds up nothing else. A mail that fails waits longer
/// each time, and is parked after three days, which the log and a counter tell.
package struct MailDelivery: NamedService {
    /// How often the server looks for due mails. Nothing notifies it of a new one.
    private static let interval: Duration = .seconds(1)
    /// How often the server looks for mails of unknown kinds.
    private static let unknownKindsInterval: Duration = .hours(1)
    /// A server of a newer version takes a mail within this time.
    static let unknownKindsPatience: Duration = .minutes(10)
    /// Nil where no mail is sent.
    let settings: MailSettings?
    let publicURL: PublicURL
    let store: AccountTransactions
    let content: MailSeal
    let environment: AppleIDEnvironment
    let instrumentation: AppleIDInstrumentation
    let logger: Logger
    var timeLimit = MailSettings.timeLimit
    /// How long an attempt that is under way may go on when the server stops.
    var shutdownLimit: Duration = .seconds(10)

    private let slots = MailSlots()

    init(
        settings: MailSettings?, publicURL: PublicURL, store: AccountTransactions, keyRing: KeyRingInUse,
        environment: AppleIDEnvironment, instrumentation: AppleIDInstrumentation, logger: Logger
    ) {
        self.settings = settings
        self.publicURL = publicURL
        self.store = store
        content = MailSeal(keyRing: keyRing)
        self.environment = environment
        self.instrumentation = instrumentation
        self.logger = logger
    }

    var now: Timestamp { Timestamp(environment.now()) }

    /// Sends mails until the server stops. An attempt that is under way then has ten seconds. Without a sender it only
    /// waits.
    package func run() async {
        guard let settings else { return await untilShutdown() }
        await withTaskGroup { group in
            group.addTask {
                await cancelWhenGracefulShutdown {
                    while (try? await Task.sleep(for: Self.interval)) != nil { slots.change.notify() }
                }
            }
            slots.change.notify()
            var attempts = 0
            var looked: ContinuousClock.Instant?
            for await _ in slots.change.cancelOnGracefulShutdown() {
                // A group keeps each task that has ended until it is asked for.
                while attempts > slots.taken, await group.next() != nil { attempts -= 1 }
                let isLookDue = looked.map { $0.duration(to: .now) >= Self.unknownKindsInterval } ?? true
                do {
                    for mail in try await take() {
                        group.addTask { await attempt(mail, over: settings) }
                        attempts += 1
                    }
                    // After the mails, and not again at once if it fails: a report must not keep mails from being sent.
                    if isLookDue {
                        looked = .now
                        try await reportUnknownKinds()
                    }
                } catch {
                    logger.warning(
                        "The mail queue could not be read; the next round tries again.", metadata: ["error": "\(error)"]
                    )
                }
            }
        }
    }

    /// Says in the log which mails wait in vain for a server of a newer version.
    func reportUnknownKinds() async throws {
        for (kind, count) in try await store.mailsOfUnknownKinds(dueSince: now - Self.unknownKindsPatience) {
            logger.warning(
                "Mails of a kind that this version doesn't know wait for a server of a newer version.",
                metadata: ["kind": "\(kind.rawValue)", "mails": "\(count)"])
        }
    }

    /// Sends every mail that is due now, and returns when all attempts have ended.
    package func drain() async throws {
        guard let settings else { return }
        while !Task.isCancelled {
            let mails = try await take()
            guard !mails.isEmpty else { return }
            await withTaskGroup { group in
                for mail in mails { group.addTask { await attempt(mail, over: settings) } }
            }
        }
    }

    /// A mail that this server sends now.
    private struct Taken: Sendable {
        var mail: PendingMail
        var owner: String
    }

    /// Takes as many mails that are due as there is room for. Each end of an attempt makes room, and is told.
    private func take() async throws -> [Taken] {
        let free = slots.free
        guard free > 0 else { return [] }
        let lease = QueueLease(of: free, for: MailRules.leaseTime, environment)
        let mails = try await store.leaseMails(lease)
        slots.take(mails.count)
        return mails.map { Taken(mail: $0, owner: lease.owner) }
    }

    private func attempt(_ taken: Taken, over settings: MailSettings) async {
        defer { slots.release() }
        let mail = taken.mail
        let answer = await answer(to: mail, over: settings)
        let outcome = MailRules.outcome(of: answer, for: mail, at: now, random: environment.randomNumber())
        report(outcome, of: mail)
        do {
            try await note(outcome, of: taken)
        } catch {
            // Its lease runs out, and it is sent again, with the same identifier.
            logger.warning(
                "What became of a mail could not be noted; the mail may be sent again.",
                metadata: ["mail": "\(mail.id)", "kind": "\(mail.kind.rawValue)", "error": "\(error)"])
        }
    }

    /// Records the outcome. The mail server has a delivered mail, and nothing else says so. So if the database fails, this
    /// tries again for about a minute, which ends before the lease does.
    private func note(_ outcome: MailRules.Outcome, of taken: Taken) async throws {
        let moment = now
        do {
            _ = try await store.noteMail(taken.mail.id, owner: taken.owner, outcome, at: moment)
        } catch {
            guard outcome == .delivered else { throw error }
            _ = try await environment.repeating {
                try await store.noteMail(taken.mail.id, owner: taken.owner, outcome, at: moment)
            }
        }
    }

    private func answer(to pending: PendingMail, over settings: MailSettings) async -> MailAnswer {
        guard !pending.isRelay || pending.sentLately < MailRules.relayMailsPerDay else {
            return .held(failure: RelayFailure.dailyLimit.rawValue)
        }
        let content: MailContent
        do {
            content = try self.content.open(pending.sealed, of: pending.id)
        } catch {
            // The key ring lacks the key: it can be mended.
            return .refused(failure: MailFailure.configuration.rawValue)
        }
        var values = content.values
        values["serviceName"] = settings.serviceName
        values["serviceURL"] = publicURL.rawValue
        if pending.leftOut > 0 { values["leftOut"] = String(pending.leftOut) }
        let mail = Mail(
            id: pending.id, kind: pending.kind, recipient: content.recipient, isRelayAddress: pending.isRelay,
            languages: content.languages, values: values, createdAt: pending.createdAt)
        return await withTaskGroup { group in
            group.addTask { await settings.sender.send(mail) }
            group.addTask {
                // Cancelled as soon as the sender has answered.
                try? await Task.sleep(for: timeLimit)
                return .postponed(failure: MailFailure.timedOut.rawValue)
            }
            group.addTask {
                if (try? await gracefulShutdown()) != nil { try? await Task.sleep(for: shutdownLimit) }
                return .postponed(failure: MailFailure.interrupted.rawValue)
            }
            defer { group.cancelAll() }
            return await group.next() ?? .postponed(failure: MailFailure.interrupted.rawValue)
        }
    }

    private func report(_ outcome: MailRules.Outcome, of mail: PendingMail) {
        let (word, failure): (String, String?) =
            switch outcome {
            case .delivered: ("delivered", nil)
            case .again(_, let failure): ("again", failure)
            case .heldByRelay(_, let failure): ("held", failure)
            case .parked(let failure): ("parked", failure)
            }
        instrumentation.countMail(mail.kind, outcome: word)
        if outcome == .delivered, mail.leftOut > 0 {
            instrumentation.countMail(mail.kind, outcome: "left_out", by: Int(mail.leftOut))
        }
        guard let failure else { return }
        let metadata: Logger.Metadata = [
            "mail": "\(mail.id)", "kind": "\(mail.kind.rawValue)", "failure": "\(failure)",
            "attempts": "\(mail.attempts)",
        ]
        switch outcome {
        case .parked: logger.error("A mail is parked: an operator must act.", metadata: metadata)
        case .heldByRelay:
            logger.info("A mail is held, because the private relay doesn't take it now.", metadata: metadata)
        default: logger.info("A mail was not delivered, and is tried again later.", metadata: metadata)
        }
    }
}

extension AppleIDInstrumentation {
    /// Counts what became of a mail.
    func countMail(_ kind: Mail.Kind, outcome: String, by count: Int = 1) {
        Counter(
            label: "accounts.mail", dimensions: [("kind", kind.rawValue), ("outcome", outcome)], factory: metrics
        ).increment(by: count)
    }
}

/// The attempts of one server, which are few at once, and the news that there is room for more or a mail may be due.
private final class MailSlots: Sendable {
    let change = ChangeSignal()
    private let underWay = Lock(0)

    var taken: Int { underWay.withLock { $0 } }
    var free: Int { MailRules.attemptsAtOnce - taken }

    func take(_ count: Int) {
        underWay.withLock { $0 += count }
    }

    func release() {
        underWay.withLock { $0 -= 1 }
        change.notify()
    }
}
