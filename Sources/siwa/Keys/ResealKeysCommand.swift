import AccountService
import ArgumentParser

/// `siwa keys reseal`: everything stands under the first key of the ring afterwards.
struct ResealKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reseal",
        abstract: "Seal everything in the database anew under the first key of the ring, while servers run.",
        discussion: """
            First put the new key into the ring of every server, behind the old one, and restart them; then put it first \
            and restart them; then run this. When it says that no other key is in use, the old one may go. A run that was \
            interrupted goes on where it was.

            Exit status: 0 when only the first key is in use, 1 when another is still.

            \(Help.examples("siwa keys reseal --config siwa.json"))
            """)

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    private struct Answer: Encodable {
        let resealed: Int
        /// Values that other keys still seal, and those among them that no key of the ring opens.
        let others, unopened: Int
        let keysInUse: [String]
    }

    func run() async throws {
        let keyRing = try await options.read { KeyRing.read(&$0) }
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
                hint: "a server seals with an older ring: restart it with the new one, and run this again")
        }
        if !json { say("no key but the first is in use") }
    }
}
