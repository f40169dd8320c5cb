import AccountService
import ArgumentParser
import CommandIO
import Foundation

/// `siwa keys`: lists Apple's keys, and changes the server's own.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "List Apple's keys, and change the server's own.",
        discussion: Help.examples("siwa keys apple", "siwa keys rotate"),
        subcommands: [AppleKeysCommand.self, RotateKeysCommand.self, ResealKeysCommand.self])
}

/// `siwa keys rotate`: makes the next key the one that signs access tokens.
struct RotateKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Change the key that signs access tokens, while servers run.",
        discussion: """
            The next key, which is published already, becomes the active one; the active one verifies for another hour; a \
            new one is published as the next. Servers that use the database see it within half a minute, and no token is \
            refused. The key ring is needed: --key-ring-file, SIWA_KEY_RING, or "key-ring" in the \
            --config file.

            \(Help.examples("siwa keys rotate --config siwa.json"))
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var ring: KeyRingOptions

    @Flag(help: "Also when the next key was published less than ten minutes ago: for a key that got out.")
    var atOnce = false

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let active, next, retired: String
    }

    func run() async throws {
        let keyRing = try await ring.keyRing(options)
        let outcome = try await options.withStore { store in
            do {
                return try await KeyRotation(store: store, keyRing: keyRing).rotate(atOnce: atOnce)
            } catch let error as AccountError where error.code == .keyTooYoung {
                throw Failure(error.reason, hint: "wait; or say --at-once where a key got out")
            }
        }
        guard !json else {
            let answer = Answer(
                active: "\(outcome.active)", next: "\(outcome.next)", retired: "\(outcome.retired)")
            return say(try answer.jsonText(isSpread: true))
        }
        say("active   \(outcome.active)")
        say("next     \(outcome.next)")
        say("retired  \(outcome.retired)")
    }
}

/// `siwa keys reseal`: encrypts all secrets in the database again, with the first key of the ring.
struct ResealKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal",
        abstract: "Encrypt all secrets in the database again with the first key of the ring, while servers run.",
        discussion: """
            First put the new key into the ring of every server, behind the old one, and reload them (SIGHUP). Then put it \
            first, and reload them again. Then run this. When it says that no other key is in use, the old one may go. A \
            server whose ring is in SIWA_KEY_RING needs a restart in place of a reload. You can run an interrupted run \
            again: it continues.

            Exit status: 0 when only the first key is in use, 1 when another is still.

            \(Help.examples("siwa keys reseal --config siwa.json"))
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var ring: KeyRingOptions

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let resealed: Int
        /// Values that other keys still seal, and those among them that no key of the ring opens.
        let others, unopened: Int
        let keysInUse: [String]
    }

    func run() async throws {
        let keyRing = try await ring.keyRing(options)
        let bar = ProgressBar("Sealing anew")
        let outcome = try await options.withStore { store in
            defer { bar.clear() }
            return try await Resealing(store: store, keyRing: keyRing).run { bar.show($0.done, of: $0.total) }
        }
        if json {
            let answer = Answer(
                resealed: Int(outcome.resealed), others: Int(outcome.others), unopened: Int(outcome.unopened),
                keysInUse: outcome.keysInUse.sorted())
            say(try answer.jsonText(isSpread: true))
        } else {
            say("\(outcome.resealed) sealed anew")
        }
        let others = outcome.keysInUse.sorted().map { "`\($0)`" }.joined(separator: ", ")
        if outcome.unopened > 0 {
            throw Failure(
                "\(outcome.unopened) values do not open; the keys that sealed them: \(others)",
                hint: "put these keys into the ring, behind the first, and run this again")
        }
        if outcome.others > 0 {
            throw Failure(
                "other keys are in use still: \(others)",
                hint: "a server seals with an older ring: reload it with the new one, and run this again")
        }
        if !json { say("no key but the first is in use") }
    }
}

extension KeyRing {
    /// Reads ``Setting/keyRing`` or ``Setting/keyRingFile``; nil after a problem, which is reported.
    static func read(_ reader: inout SettingsReader) -> KeyRing? {
        let before = reader.problems.count
        guard let secret = reader.secret(.keyRing, lines: .several) else {
            if reader.problems.count == before, !reader.isRefused(.keyRing), !reader.isRefused(.keyRingFile) {
                reader.report(
                    .keyRing,
                    "is missing: the server's secret keys, `id:base64` of 32 random bytes; this makes a "
                        + "file: (umask 077; echo \"k1:$(head -c 32 /dev/urandom | base64)\" > key-ring)")
            }
            return nil
        }
        do {
            return try KeyRing(parsing: secret.text)
        } catch {
            reader.report(secret.setting, error.reason)
            return nil
        }
    }
}

extension KeyRing {
    /// Requires that this is the key ring of the servers on a database, before a command seals something for them.
    /// - Throws: ``Failure`` when it doesn't open their keys.
    func requireServersKeys(in store: AccountTransactions) async throws {
        do {
            try await ServerKeys.check(self, of: store)
        } catch let error as AccountError where error.code == .configuration {
            throw Failure(
                "this is not the key ring of the servers on this database: they could not open what it seals",
                hint: "take the key ring of siwa serve: --key-ring-file FILE, or --config with the server's settings")
        }
    }
}

/// The option of commands that open sealed values in the database: the file with the key ring. The environment and the
/// `--config` file can also hold the key ring itself.
struct KeyRingOptions: ParsableArguments {
    @Option(.keyRingFile) var keyRingFile: String?

    /// Reads the key ring.
    /// - Parameter store: The options of the same command, whose `--config` file may hold the key ring.
    /// - Throws: ``SettingsProblems`` with everything that is wrong.
    func keyRing(_ store: StoreOptions) async throws -> KeyRing {
        do {
            return try await store.read(besides: self) { KeyRing.read(&$0) }
        } catch let found as SettingsProblems {
            var problems = found
            problems.hint =
                "it is the key ring of siwa serve: --key-ring-file FILE, or --config with the server's settings"
            throw problems
        }
    }
}
