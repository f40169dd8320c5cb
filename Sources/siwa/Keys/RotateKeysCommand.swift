import AccountService
import ArgumentParser

/// `siwa keys rotate`: another key signs access tokens from now on.
struct RotateKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Change the key that signs access tokens, while servers run.",
        discussion: """
            The next key, which is published already, becomes the active one; the active one verifies for another hour; a \
            new one is published as the next. Servers that use the database see it within half a minute, and no token is \
            refused. The key ring is needed: SIWA_KEY_RING, or "key-ring" in the --config file.

            \(Help.examples("siwa keys rotate --config siwa.json"))
            """)

    @OptionGroup var options: StoreOptions

    @Flag(help: "Also when the next key was published less than ten minutes ago: for a key that got out.")
    var atOnce = false

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let active, next, retired: String
    }

    func run() async throws {
        let keyRing = try await options.read { KeyRing.read(&$0) }
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
