import AppleID
import CoreMetrics
import Logging
import ServiceLifecycle

/// Tells hooks what happened to accounts, until each has taken it.
///
/// Each hook has a worker of its own, so that none waits for another. Notices are taken by a lease, a few at a time,
/// and after each failure the next attempt is postponed for longer. After seven days a notice is parked, which the log and
/// a counter tell.
package struct HookDelivery: NamedService {
    /// The time that a hook may take for one notice.
    package static let timeLimit: Duration = .seconds(30)
    /// The time after which a hook is forgotten, with its notices, if no server has it any more.
    package static let retention: Duration = .days(30)
    /// Notices wait in the database, and are looked for this often: what another server or a command did is told no
    /// later than what this one does.
    private static let interval: Duration = .seconds(1)
    /// Notices that are told at once.
    static let batchSize = 8
    /// Longer than a hook may take.
    static let leaseTime: Duration = .minutes(2)
    /// The time after which a notice that no attempt could deliver is parked.
    static let retryPeriod: Duration = .days(7)
    /// How often a server says that it has its hooks.
    private static let renewal: Duration = .hours(1)
    static let maximumName = 40

    let hooks: [any AccountHook]
    let store: AccountTransactions
    let environment: AppleIDEnvironment
    let instrumentation: AppleIDInstrumentation
    let logger: Logger
    var timeLimit = Self.timeLimit
    /// Waits between two notes that this server has its hooks. Tests decide when it returns.
    var waitForRenewal: @Sendable () async throws -> Void = { try await Task.sleep(for: Self.renewal) }

    var now: Timestamp { Timestamp(environment.now()) }

    /// Works until the shutdown, and finishes the attempts under way. Without hooks it only waits.
    package func run() async {
        guard !hooks.isEmpty else { return await untilShutdown() }
        await withTaskGroup { group in
            for hook in hooks { group.addTask { await work(for: hook) } }
            group.addTask { await renewHooks() }
        }
    }

    /// Says again and again that this server has its hooks. It has a task of its own: while a hook is slow, or has more
    /// notices than it can take, the work for it may not come to an end.
    private func renewHooks() async {
        await cancelWhenGracefulShutdown {
            while (try? await waitForRenewal()) != nil { await noteHooks() }
        }
    }

    private func noteHooks() async {
        do {
            try await store.noteHooks(hooks.map(\.name), at: now)
        } catch {
            logger.warning(
                "It could not be noted that this server has its hooks; the next round tries again.",
                metadata: ["error": "\(error)"])
        }
    }

    private func work(for hook: any AccountHook) async {
        repeat {
            do {
                try await drain(hook)
            } catch {
                logger.warning(
                    "Notices for a hook could not be read; the next round tries again.",
                    metadata: ["hook": "\(hook.name)", "error": "\(error)"])
            }
        } while await pause()
    }

    /// - Returns: false when it is time to end.
    private func pause() async -> Bool {
        await cancelWhenGracefulShutdown { (try? await Task.sleep(for: Self.interval)) != nil }
    }

    /// Tells every hook everything that is due now.
    package func drain() async throws {
        for hook in hooks { try await drain(hook) }
    }

    private func drain(_ hook: any AccountHook) async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            let lease = QueueLease(of: Self.batchSize, for: Self.leaseTime, environment)
            let notices = try await store.leaseNotices(for: hook.name, lease)
            guard !notices.isEmpty else { return }
            await withTaskGroup { group in
                for notice in notices {
                    group.addTask { await tell(hook, notice, owner: lease.owner) }
                }
            }
        }
    }

    private func tell(_ hook: any AccountHook, _ pending: PendingNotice, owner: String) async {
        let outcome = outcome(of: await answer(of: hook, to: pending.notice), for: pending)
        report(outcome, of: pending)
        do {
            _ = try await store.endNoticeAttempt(pending.notice.id, for: hook.name, owner: owner, outcome)
        } catch {
            // Its lease runs out, and it is told again.
            logger.warning(
                "What became of a notice could not be noted; the hook hears of it again.",
                metadata: ["hook": "\(hook.name)", "notice": "\(pending.notice.id)", "error": "\(error)"])
        }
    }

    private func answer(of hook: any AccountHook, to notice: AccountNotice) async -> HookAnswer {
        await withTaskGroup { group in
            group.addTask { await hook.receive(notice) }
            group.addTask {
                // Cancelled as soon as the hook has answered.
                try? await Task.sleep(for: timeLimit)
                return .failed(code: "hook_too_slow")
            }
            defer { group.cancelAll() }
            return await group.next() ?? .failed(code: "hook_failed")
        }
    }

    private func outcome(of answer: HookAnswer, for pending: PendingNotice) -> NoticeOutcome {
        guard case .failed(let code) = answer else { return .taken }
        guard now - pending.waitingSince < Self.retryPeriod else { return .parked(failure: code) }
        let delay = RetryBackoff.hook.delay(after: pending.attempts, random: environment.randomNumber())
        return .again(at: now + delay, failure: code)
    }

    private func report(_ outcome: NoticeOutcome, of pending: PendingNotice) {
        var metadata: Logger.Metadata = [
            "hook": "\(pending.hook)", "notice": "\(pending.notice.id)", "kind": "\(pending.notice.kind.rawValue)",
            "attempts": "\(pending.attempts)",
        ]
        let word: String
        switch outcome {
        case .taken: word = "taken"
        case .again(_, let failure):
            word = "again"
            metadata["failure"] = "\(failure)"
            logger.info("A hook did not take a notice, and hears of it again later.", metadata: metadata)
        case .parked(let failure):
            word = "parked"
            metadata["failure"] = "\(failure)"
            logger.error("A notice for a hook is parked: an operator must act.", metadata: metadata)
        }
        Counter(
            label: "accounts.hooks", dimensions: [("hook", pending.hook), ("outcome", word)],
            factory: instrumentation.metrics
        ).increment()
    }
}

extension HookDelivery {
    /// - Throws: ``AccountError/Code/configuration``.
    static func check(_ hooks: [any AccountHook]) throws(AccountError) {
        for (index, hook) in hooks.enumerated() {
            let name = hook.name.utf8
            guard (1...maximumName).contains(name.count),
                name.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
            else {
                throw AccountError(
                    .configuration, "a hook's name has 1 to \(maximumName) lowercase letters, digits and -")
            }
            guard !hooks[..<index].contains(where: { $0.name == hook.name }) else {
                throw AccountError(.configuration, "two hooks have the name `\(hook.name)`")
            }
        }
    }
}

/// A notice that a hook has not taken yet.
package struct PendingNotice: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
        case waiting
        /// The notice is not told any more until somebody says so.
        case parked
    }

    package var notice: AccountNotice
    /// ``AccountHook/name``.
    package var hook: String
    package var state: State
    /// How often it was begun.
    package var attempts: Int64
    /// Since when it is being tried: since it happened, or when it last left being parked.
    package var waitingSince: Timestamp
    package var nextAttemptAt: Timestamp
    /// Why the last attempt failed, in one word.
    package var failure: String?

    package init(
        notice: AccountNotice, hook: String, state: State, attempts: Int64, waitingSince: Timestamp,
        nextAttemptAt: Timestamp, failure: String?
    ) {
        self.notice = notice
        self.hook = hook
        self.state = state
        self.attempts = attempts
        self.waitingSince = waitingSince
        self.nextAttemptAt = nextAttemptAt
        self.failure = failure
    }
}

/// The outcome of an attempt to tell a hook.
package enum NoticeOutcome: Hashable, Sendable {
    /// The hook took the notice, of which nothing is kept.
    case taken
    case again(at: Timestamp, failure: String)
    case parked(failure: String)
}

extension RetryBackoff {
    /// Changes for hooks: a backend that was being restarted hears of them soon.
    static let hook = Self(first: .seconds(5), maximum: .hours(3))
}
