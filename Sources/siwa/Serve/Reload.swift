import AccountHTTP
import AccountService
import AppleID
import CommandIO
import Logging
import ServiceLifecycle
import TaskSignals
import UnixSignals
import WellKnownFiles

/// Reads the settings again at each SIGHUP, and takes over those that can change while a server runs.
///
/// It checks all of them before it takes one over. So after a mistake nothing has changed.
final class Reload: Service {
    /// The settings of a server as they are now, and how to read them again.
    struct Source: Sendable {
        let hangups: UnixSignalsSequence
        let snapshot: SettingsSnapshot
        let threshold: LogThreshold
        /// Throws ``SettingsProblems`` and ``Failure``.
        let read: @Sendable () async throws -> (settings: ServeSettings, snapshot: SettingsSnapshot)
    }

    /// The parts of a running server that take over settings.
    struct Parts: Sendable {
        let apple: AppleIDClient
        let domain: AccountDomain
        /// The webhook; nil if the server has none.
        let webhook: Webhook?
        /// The sender of mail; nil if the server sends none.
        let mailSender: ReplaceableMailSender?
        let proxies: TrustedProxies
        let database: DatabaseLocation
        let files: PublishedFiles
    }

    private static let appleKey: Set<Setting> = [.keyID, .privateKey, .privateKeyFile]
    private static let keyRing: Set<Setting> = [.keyRing, .keyRingFile]
    private static let webhookSecrets: Set<Setting> = [.webhookSecret, .webhookSecretFile]
    private static let files = Set(WellKnownFile.allCases.map(\.setting))
    private static let mail: Set<Setting> = [
        .mailURL, .mailPassword, .mailPasswordFile, .mailFrom, .mailFromName, .mailTemplates,
    ]
    private static let live = appleKey.union(keyRing).union(webhookSecrets).union(files).union(mail).union([
        .databasePasswordFile, .trustedProxy, .logLevel,
    ])

    private let source: Source
    private let parts: Parts
    /// The settings by which the server runs.
    private let running: Lock<SettingsSnapshot>
    private let logger: Logger

    init(_ source: Source, parts: Parts, logger: Logger) {
        self.source = source
        self.parts = parts
        self.logger = logger
        running = Lock(source.snapshot)
    }

    func run() async {
        for await _ in source.hangups.cancelOnGracefulShutdown() { await reload() }
    }

    private func reload() async {
        let settings: ServeSettings
        let snapshot: SettingsSnapshot
        let changed: [Setting]
        do {
            let read = try await source.read()
            (settings, snapshot) = (read.settings, read.snapshot)
            changed = snapshot.changes(since: running.withLock { $0 })
            if !Self.keyRing.isDisjoint(with: changed) { try await parts.domain.check(settings.account.keyRing) }
        } catch {
            logger.error(
                "The settings were read again and have mistakes. Nothing has changed.",
                metadata: ["problems": "\(Self.words(for: error))"])
            return
        }
        var taken = Self.taken(of: changed)
        // A server that uses no password, or one in its address, needs a restart to use one from a file.
        if taken.contains(.databasePasswordFile), !parts.database.takePassword(from: settings.database) {
            taken.remove(.databasePasswordFile)
        }
        // A file that comes or goes brings or takes a route, for which a restart is needed.
        for file in WellKnownFile.allCases where settings.wellKnownFiles[file] == nil || !parts.files.contains(file) {
            taken.remove(file.setting)
        }
        // A server that sends no mail needs a restart to send some, and the other way round.
        if parts.mailSender == nil || settings.mail == nil { taken.subtract(Self.mail) }
        // The notice below should appear if the old level or the new one shows it. So a level that hides notices is replaced
        // before the notice, and any other level after it.
        let isSilent = source.threshold.level > .notice
        if isSilent, taken.contains(.logLevel) { source.threshold.level = settings.logLevel }
        take(taken, from: settings)
        running.withLock { $0.take(taken, from: snapshot) }
        logger.notice(
            "The settings were read again. Flags and the environment stay as they were at the start.",
            metadata: [
                "taken": "\(Self.names(taken))",
                "need_restart": "\(Self.names(changed.filter { !taken.contains($0) }))",
            ])
        if taken.contains(.trustedProxy) || !Self.files.isDisjoint(with: taken) {
            for warning in settings.warnings { logger.warning("\(warning)") }
        }
        if taken.contains(.logLevel) { source.threshold.level = settings.logLevel }
    }

    private func take(_ taken: Set<Setting>, from settings: ServeSettings) {
        if !Self.keyRing.isDisjoint(with: taken) { parts.domain.replaceKeyRing(with: settings.account.keyRing) }
        // All clients of `siwa serve` have one key.
        if !Self.appleKey.isDisjoint(with: taken), let key = settings.clients.first?.key {
            parts.apple.replaceKey(with: key)
        }
        if !Self.webhookSecrets.isDisjoint(with: taken), let secrets = settings.webhook?.secrets {
            parts.webhook?.replaceSecrets(with: secrets)
        }
        for (file, content) in settings.wellKnownFiles where taken.contains(file.setting) {
            parts.files.replace(file, with: content)
        }
        if !Self.mail.isDisjoint(with: taken), let sender = settings.mail?.sender {
            parts.mailSender?.replace(with: sender)
        }
        if taken.contains(.trustedProxy) { parts.proxies.replace(with: settings.pages.trustedProxies) }
    }

    /// Returns the changed settings that the server takes over. It leaves out Apple's key if the team has changed, the
    /// webhook's secrets if its URL has changed, and the password if the database has changed: those need a restart.
    private static func taken(of changed: [Setting]) -> Set<Setting> {
        var taken = Set(changed).intersection(live)
        if changed.contains(.teamID) { taken.subtract(appleKey) }
        if changed.contains(.webhookURL) { taken.subtract(webhookSecrets) }
        if changed.contains(.database) { taken.remove(.databasePasswordFile) }
        return taken
    }

    private static func names(_ settings: some Sequence<Setting>) -> String {
        let names = settings.map(\.name).sorted()
        return names.isEmpty ? "none" : names.joined(separator: ",")
    }

    private static func words(for error: any Error) -> String {
        switch error {
        case let problems as SettingsProblems:
            problems.problems.map { "\($0.setting.path): \($0.problem)" }.joined(separator: "; ")
        case let failure as Failure: failure.problem
        case let error as AccountError: "\(Setting.keyRing.path): \(error.reason)"
        default: "\(error)"
        }
    }
}
