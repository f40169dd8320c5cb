import AccountService
import AppleID
import AppleIDTypes
import ArgumentParser
import CommandIO
import Foundation
import Logging
import PeopleFiles

#if PostgreSQL
    import AccountPostgres
#endif

/// `siwa import`: imports the people of another service.
@available(siwaServer 1.0, *)
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import the people of Firebase, Supabase, Auth0, Serverpod, a CSV file or another siwa.",
        discussion: """
            Imports Apple's sub, email addresses, names and the passwords that siwa can check. A person's first sign-in \
            replaces the hash of the password. You can run the command again at any time: it passes over people who \
            are here, and continues an interrupted run. Servers may run meanwhile. Try it with --dry-run first, which \
            needs only the file. See Docs/import.md.

            Exit status: 0 if the file was read to its end, even if people were left out; 1 if the run or the file \
            ended early; 2 if an option is wrong.

            \(Help.examples(
                "siwa import --from firebase users.json --hash-config hash.txt --dry-run",
                "siwa import --from csv people.csv --mapping mapping.json --config siwa.json",
                "siwa import --from siwa people.age --identity-file key.txt --config siwa.json"))
            """)

    @OptionGroup var options: StoreOptions
    @OptionGroup var ring: KeyRingOptions
    @OptionGroup var apple: ImportAppleOptions

    @Option(help: "The service that the people come from: firebase, supabase, auth0, serverpod, csv or siwa.")
    var from: ImportFormat

    @Argument(
        help: "The file; - for standard input; or, for supabase and serverpod, the database, postgres://….",
        completion: .file())
    var file: String

    @Option(help: "For csv: a JSON file that names the column of each fact.", completion: .file())
    var mapping: String?

    @Option(help: "For firebase: a file with the password hash parameters of its console.", completion: .file())
    var hashConfig: String?

    @Option(help: "The file with the age identity, AGE-SECRET-KEY-1…, for a sealed FILE.", completion: .file())
    var identityFile: String?

    @Flag(
        help: """
            Also import the passwords of addresses that the other service hasn't verified. Use it only if nobody could \
            sign up there with the address of somebody else.
            """)
    var unverifiedPasswords = false

    @Flag(
        help: """
            Treat every address of the file as unverified. Use it if the service calls addresses verified without a \
            proof, as Supabase does without "Confirm email".
            """)
    var unverifiedAddresses = false

    @Option(
        help: """
            A name for the place that the people come from. Use it if you import from two places whose ids may be \
            equal. Default: the service.
            """)
    var source: String?

    @Flag(help: "Count the people, and list whom the import would leave out. Writes nothing, and needs no database.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    /// A placeholder for the team, for a dry run without a database.
    private static let anyTeam: TeamID = "TEAM"

    private static var noTeam: Failure {
        Failure(
            "\(Setting.teamID.path) is missing: the Apple team of the apps",
            hint: "it is \(Setting.teamID.howToSet)", isUsage: true)
    }

    func validate() throws {
        guard (mapping != nil) == (from == .csv) else {
            throw ValidationError(from == .csv ? "--from csv needs --mapping." : "--mapping is for --from csv.")
        }
        guard hashConfig == nil || from == .firebase else {
            throw ValidationError("--hash-config is for --from firebase.")
        }
        guard !unverifiedAddresses || !unverifiedPasswords else {
            throw ValidationError("Pass --unverified-addresses or --unverified-passwords, not both.")
        }
        guard let source else { return }
        guard from != .siwa else {
            throw ValidationError("Leave out --source: the file of --from siwa has the sources.")
        }
        guard (1...40).contains(source.utf8.count),
            source.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
        else { throw ValidationError("--source takes 1 to 40 lowercase letters, digits and hyphens.") }
    }

    func run() async throws {
        let settings = try await options.read(besides: apple) { ImportSettings.read(&$0) }
        guard dryRun || settings.team != nil || from == .siwa else { throw Self.noTeam }
        let identity = try identityFile.map {
            try AgeIdentity(fileText: FileSecret.text($0, lines: .several, option: "identity-file"))
        }
        // Everything that can be wrong is checked before a database is made.
        var context = try context(settings)
        var keyRing: KeyRing?
        if !dryRun { keyRing = try await ring.keyRing(options) }
        try requireFile()
        let store = try await openStore(settings)
        var report = ImportReport()
        var failure: (any Error)?
        do {
            guard store == nil || settings.team != nil || from == .siwa else { throw Self.noTeam }
            context.providers = try await store?.knownProviders() ?? [:]
            var people = try await open(context, identity)
            try await run(&people, on: store, keyRing, settings, &report)
        } catch {
            failure = Self.failure(for: error)
        }
        try await store?.close()
        if failure == nil || report.people > 0 { try say(report) }
        if let failure { throw failure }
        guard !report.isCutOff else {
            throw Failure("the file is cut off", hint: "make it again; the people before are kept")
        }
    }

    private func requireFile() throws {
        guard file != "-", !DatabaseLocation.isPostgres(file) else { return }
        guard FileManager.default.isReadableFile(atPath: file) else {
            throw Failure("the file \(file) cannot be read")
        }
    }

    /// Opens the database. A dry run makes no database: one that isn't there counts as empty.
    private func openStore(_ settings: ImportSettings) async throws -> AccountTransactions? {
        guard let location = settings.location else {
            guard dryRun else {
                throw Failure("there is no database", hint: "it is \(Setting.database.howToSet)", isUsage: true)
            }
            return nil
        }
        let logger = Logger.standard(level: .warning)
        do {
            guard dryRun else { return try await location.open(logger: logger) }
            switch try await location.openAsItIs(logger: logger) {
            case .empty: return nil
            case .current(let store): return store
            case .older: throw Failure.olderTables(or: "for the file alone, name a new --database")
            }
        } catch {
            throw Self.failure(for: error)
        }
    }

    private func run(
        _ people: inout PeopleFile, on store: AccountTransactions?, _ keyRing: KeyRing?, _ settings: ImportSettings,
        _ report: inout ImportReport
    ) async throws {
        var importOptions = ImportOptions()
        importOptions.importsUnverifiedPasswords = unverifiedPasswords
        importOptions.distrustsAddresses = unverifiedAddresses
        var failure: (any Error)?
        do {
            if let keyRing, let store {
                let importer = try await importer(on: store, keyRing, settings, importOptions)
                try await write(&people, importer, &report)
            } else {
                try await rehearse(&people, on: store, importOptions, &report)
            }
        } catch {
            failure = error
        }
        try await people.close()
        if let failure { throw failure }
    }

    private func open(_ context: ImportContext, _ identity: AgeIdentity?) async throws -> PeopleFile {
        guard DatabaseLocation.isPostgres(file) else {
            return try PeopleFile(file, as: from, context, identity: identity)
        }
        #if PostgreSQL
            do {
                return try await PeopleFile(
                    .postgres(file, connections: 1), of: from, context, logger: Logger.standard(level: .warning))
            } catch {
                throw Self.failure(for: error)
            }
        #else
            throw Failure("this siwa was built without PostgreSQL, so it reads only files", isUsage: true)
        #endif
    }

    private func context(_ settings: ImportSettings) throws -> ImportContext {
        var context = ImportContext(team: settings.team ?? Self.anyTeam, now: Timestamp(Date()))
        guard from != .serverpod || (settings.bundleIDs.count < 2 && settings.servicesIDs.count < 2) else {
            throw Failure(
                "the settings have several App IDs or Services IDs, and Apple's tokens belong to those of Serverpod",
                hint: "pass the ids that Serverpod used with --bundle-id and --services-id", isUsage: true)
        }
        context.bundleID = settings.bundleIDs.first
        context.servicesID = settings.servicesIDs.first
        context.source = source
        if let mapping {
            context.mapping = try CSVMapping(json: Array(SmallFile.text(mapping).utf8))
        }
        if let hashConfig {
            context.firebase = try FirebaseScrypt(
                hashConfig: FileSecret.text(hashConfig, lines: .several, option: "hash-config"))
        }
        return context
    }

    private func rehearse(
        _ people: inout PeopleFile, on store: AccountTransactions?, _ importOptions: ImportOptions,
        _ report: inout ImportReport
    ) async throws {
        var rehearsal = ImportRehearsal(in: store, options: importOptions)
        let bar = ProgressBar("Looking")
        defer { bar.clear() }
        while let read = try await people.next(ImportBatch.size) {
            report.note(read, try await rehearsal.run(read.compactMap(\.person)))
            bar.show(people.progress, of: 1_000, note: report.peopleText)
        }
    }

    /// Makes the importer, once the database and the keys are those of the settings, and records the import in the
    /// audit.
    private func importer(
        on store: AccountTransactions, _ keyRing: KeyRing, _ settings: ImportSettings, _ importOptions: ImportOptions
    ) async throws -> PersonImport {
        let owner = try await store.bind(toIssuer: settings.server.name)
        guard owner == settings.server.name else {
            throw Failure(
                "this database belongs to \(owner), and the settings are for \(settings.server.name)",
                hint: "pass another --database, or the settings of this one")
        }
        try await keyRing.requireServersKeys(in: store)
        let importer = PersonImport(store: store, keyRing: keyRing, options: importOptions)
        try await importer.begin(from: source ?? from.source)
        return importer
    }

    private static func failure(for error: any Error) -> any Error {
        switch error {
        case let error as AccountError: error.failure
        default: error
        }
    }

    /// Writes the people, batch by batch. The next batch is read while one is written.
    private func write(
        _ people: inout PeopleFile, _ importer: PersonImport, _ report: inout ImportReport
    ) async throws {
        let bar = ProgressBar("Importing")
        defer { bar.clear() }
        // If people of the batch before were here, it is cheaper to look first.
        var looksUp = false
        var next = try await read(&people, importer)
        while let current = next {
            let looks = looksUp
            async let outcomes = importer.write(current.batch, looksUp: looks)
            let following: Result<ReadBatch?, any Error>
            do {
                following = .success(try await read(&people, importer))
            } catch {
                // The batch is written all the same, so its people belong into the report.
                following = .failure(error)
            }
            let written = try await outcomes
            report.note(current.read, written)
            for case .forgotten(let forgotten) in current.read { try await importer.forget(forgotten) }
            looksUp = written.contains { $0.kind != .new && $0.kind != .repeated }
            bar.show(people.progress, of: 1_000, note: report.peopleText)
            next = try following.get()
        }
    }

    private func read(_ people: inout PeopleFile, _ importer: PersonImport) async throws -> ReadBatch? {
        guard let read = try await people.next(ImportBatch.size) else { return nil }
        let batch = try importer.prepare(read.compactMap(\.person))
        return ReadBatch(read: read, batch: batch)
    }

    private func say(_ report: ImportReport) throws {
        guard !json else { return CommandIO.say(try ImportAnswer(report, dryRun: dryRun).jsonText(isSpread: true)) }
        if from != .siwa, report.apple == 0, report.people > 0 {
            CommandIO.say("Nobody in this file signs in with Apple. \(from.appleHint)")
        }
        for line in report.named { CommandIO.say(line) }
        if report.notTaken > report.named.count {
            CommandIO.say("and \(report.notTaken - report.named.count) more")
        }
        for line in report.providerLines { CommandIO.say(line) }
        CommandIO.say(report.summary(isDryRun: dryRun))
    }
}

/// The people of one batch, as they were read and as they are written.
private struct ReadBatch: Sendable {
    let read: [ReadPerson]
    let batch: ImportBatch
}

extension ReadPerson {
    fileprivate var person: ImportedPerson? {
        guard case .person(let person) = self else { return nil }
        return person
    }
}

extension ImportReport {
    /// Adds the records of a batch.
    /// - Parameter outcomes: the outcome of each person that could be read, in their order.
    mutating func note(_ read: [ReadPerson], _ outcomes: [ImportOutcome]) {
        var rest = outcomes[...]
        for entry in read {
            switch entry {
            case .fault(let line, let problem): note(fault: problem, line: line)
            case .person(let person): if let outcome = rest.popFirst() { note(person, outcome) }
            case .forgotten: break
            }
        }
    }
}

extension ImportFormat: ExpressibleByArgument {}

extension ImportFormat {
    /// The hint for a file in which nobody has an Apple identity.
    fileprivate var appleHint: String {
        switch self {
        case .firebase:
            "firebase-tools before May 2026 leaves apple.com out: make the file with export-firebase-users.mjs."
        case .supabase: "The file needs the column identities, as Docs/import-supabase.md makes it."
        case .auth0: "The export of password hashes lacks Apple's ids: import the users export, too."
        case .serverpod: "The file needs the column apple_user_identifier, as Docs/import-serverpod.md makes it."
        case .csv: "Name the column with Apple's sub as appleSub in the mapping."
        case .siwa: ""
        }
    }
}

/// The answer as JSON.
private struct ImportAnswer: Encodable {
    let people, new, completed, here, repeated, unreadable, newPasswords, withoutAddress, apple: Int
    let leftOut, otherProviders: [String: Int]
    let problems: [String]
    let dryRun: Bool

    init(_ report: ImportReport, dryRun: Bool) {
        (people, new, completed, here) = (report.people, report.new, report.completed, report.here)
        (repeated, unreadable, newPasswords) = (report.repeated, report.unreadable, report.newPasswords)
        (withoutAddress, apple) = (report.withoutAddress, report.apple)
        leftOut = Dictionary(uniqueKeysWithValues: report.leftOut.map { ($0.key.rawValue, $0.value) })
        otherProviders = report.otherProviders
        problems = report.named
        self.dryRun = dryRun
    }
}
