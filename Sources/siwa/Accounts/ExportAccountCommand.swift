import AccountHTTP
import AccountService
import ArgumentParser
import CommandIO
import Logging
import PeopleFiles

/// `siwa accounts export`: writes all data of one person, or all accounts for another siwa.
struct ExportAccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all data of an account's person, or all accounts, as JSON.",
        discussion: """
            With WHO it writes the answer of GET /v1/account/export. It needs the key ring of siwa serve, because names of \
            sign-ins that aren't finished are sealed.

            With --all it writes a line for each account, for siwa import --from siwa. The file has password hashes and \
            Apple's tokens only if you seal it for a recipient of age.

            \(Help.examples(
                "siwa accounts export johnny@example.com --output johnny.json",
                "siwa accounts export --all --output people.age --config siwa.json \\\n  --seal-to age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"))
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var ring: KeyRingOptions

    @Argument(help: "An id (acc_…), an address, an Apple sub, or words of a name.")
    var who: String?

    @Flag(help: "Write all accounts, a line each.")
    var all = false

    @Option(
        name: .shortAndLong, help: "The file to write, which only you can read. Default: standard output.",
        completion: .file())
    var output: String?

    @Option(help: "With --all: seal the file for this recipient, age1…, with age (https://age-encryption.org).")
    var sealTo: String?

    func validate() throws {
        guard (who != nil) != all else { throw ValidationError("Say WHO, or --all.") }
        guard let sealTo else { return }
        guard all else { throw ValidationError("--seal-to is for --all.") }
        do {
            _ = try AgeRecipient(sealTo)
        } catch {
            throw ValidationError("--seal-to: \(error.problem).")
        }
    }

    func run() async throws {
        guard let who else { return try await exportAll() }
        let keyRing = try await ring.keyRing(options)
        let search = try AccountFinder.search(who)
        let json = try await options.withStore(readsOnly: true) { store in
            let directory = AccountDirectory(store: store)
            let account = try await AccountFinder.one(search, in: directory)
            return try await ExportDocument(
                store: directory.store, keyRing: keyRing, logger: Logger.standard(level: .warning)
            ).json(of: account.id)
        }
        guard let output else { return say(json) }
        try AtomicFile.write(json + "\n", to: output, permissions: 0o600)
    }

    private func exportAll() async throws {
        let recipient = try sealTo.map { try AgeRecipient($0) }
        let keyRing = recipient == nil ? nil : try await ring.keyRing(options)
        let bar = ProgressBar("Exporting")
        let (written, passwords) = try await options.withStore(readsOnly: true) { store in
            defer { bar.clear() }
            let file = try TransferFileWriter(output ?? "-", sealedFor: recipient)
            do {
                var export = PeopleExport(of: store, secretsBy: keyRing)
                let total = try await export.count()
                var (done, leftOut) = (0, 0)
                while case let people = try await export.next(), !people.isEmpty {
                    try file.write(people.map(ExportedPeople.line))
                    leftOut += people.count(where: \.lacksExportedPassword)
                    done += people.count
                    bar.show(done, of: total)
                    try Task.checkCancellation()
                }
                while case let people = try await export.nextForgotten(), !people.isEmpty {
                    try file.write(uncounted: ExportedPeople.lines(people))
                    try Task.checkCancellation()
                }
                return (try file.finish(), leftOut)
            } catch {
                file.discard()
                throw error
            }
        }
        complain("\(TextForPeople.count(written.people, "account", "accounts")) written, SHA-256 \(written.sha256)")
        if passwords > 0 {
            complain(
                "\(TextForPeople.count(passwords, "password was", "passwords were")) left out, because the file isn't "
                    + "sealed; --seal-to exports them, too")
        }
    }
}

extension ImportedPerson {
    /// Whether the person has a password that isn't in this export.
    fileprivate var lacksExportedPassword: Bool {
        identities.contains { $0.exported?.passwordSetAt != nil && $0.password == nil }
    }
}
