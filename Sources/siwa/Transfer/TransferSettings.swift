import AccountService
import AppleID
import AppleIDTypes
import ArgumentParser
import AsyncHTTPTransport
import CommandIO
import Foundation
import Logging

/// The settings of `siwa serve` by which a transfer asks Apple, for either team.
struct TransferOptions: ParsableArguments {
    @Option(.emulator) var emulator: String?
    @Option(.teamID) var teamID: String?
    @Option(.keyID) var keyID: String?
    @Option(.privateKeyFile) var privateKeyFile: String?
    @Option(.formerTeamID) var formerTeamID: String?
    @Option(.formerKeyID) var formerKeyID: String?
    @Option(.formerPrivateKeyFile) var formerPrivateKeyFile: String?
    @Option(.bundleID) var bundleID: [String]
    @Option(.servicesID) var servicesID: [String]
}

/// How a run goes through people.
struct TransferRunOptions: ParsableArguments {
    @Option(help: "Requests to Apple in a second, 0.1 to 1000. It is fewer when Apple wants that. Default: 5.")
    var rate: Double?

    @Option(help: "How many people this run deals with at most, such as 1 for a trial. Default: all.")
    var limit: Int?

    @Flag(help: "Only count the people, and ask Apple nothing.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard rate.map({ TransferQuestions.rates.contains($0) }) ?? true else {
            throw ValidationError("--rate is 0.1 to 1000.")
        }
        guard limit.map({ $0 > 0 }) ?? true else { throw ValidationError("--limit is 1 or more.") }
    }
}

/// The settings of a transfer, read and checked.
struct TransferSettings: Sendable {
    let server: AppleServer
    /// A client of the app that moves. Apple takes any of it.
    let client: ClientID
    /// The key of the team that has the app, or is about to give it away.
    let key: AppleClientKey
    /// The key of the team that had the app before; nil where it isn't set.
    let formerKey: AppleClientKey?
    /// Whether an end of consent at Apple deletes the account. Apple may have told it before the person was moved.
    let deletesOnConsentRevoked: Bool

    static func read(_ options: TransferOptions, _ store: StoreOptions) async throws -> Self {
        try await store.read(besides: options) { reader in
            let server = ServeSettings.readServer(&reader)
            let key = ServeSettings.readClientKey(&reader)
            let formerKey = readFormer(&reader, team: key?.team)?.key
            let client = reader.texts(.bundleID).first ?? reader.texts(.servicesID).first
            if client == nil {
                reader.report(.bundleID, "is missing: a bundle id or Services ID of the app that moves")
            }
            let deletesOnConsentRevoked = reader.flag(.deleteOnConsentRevoked)
            guard let server, let key, let client else { return nil }
            return Self(
                server: server, client: ClientID(client), key: key, formerKey: formerKey,
                deletesOnConsentRevoked: deletesOnConsentRevoked)
        }
    }

    /// Reads the team that had the app before, and its key. The team alone is enough for a service whose people come in
    /// a file.
    /// - Parameter team: The team that has the app now.
    /// - Returns: nil where none is set, and after a problem, which is reported.
    static func readFormer(
        _ reader: inout SettingsReader, team: TeamID?
    ) -> (team: TeamID, key: AppleClientKey?)? {
        let before = reader.problems.count
        let (former, id) = (reader.text(.formerTeamID), reader.text(.formerKeyID))
        let secret = reader.secret(.formerPrivateKey, lines: .several)
        guard reader.problems.count == before else { return nil }
        if let former, id == nil, secret == nil {
            guard TeamID(former) != team else {
                reportSameTeam(&reader)
                return nil
            }
            return (TeamID(former), nil)
        }
        guard former != nil || id != nil || secret != nil else { return nil }
        if former == nil { reader.report(.formerTeamID, "is missing: the team that had the app before") }
        if id == nil { reader.report(.formerKeyID, "is missing: the key of the team that had the app before") }
        if secret == nil { reader.report(.formerPrivateKeyFile, "is missing: the .p8 file of the former team's key") }
        if let former, let team, TeamID(former) == team { reportSameTeam(&reader) }
        guard reader.problems.count == before, let former, let id, let secret else { return nil }
        do {
            return (TeamID(former), try AppleClientKey(id: KeyID(id), team: TeamID(former), pem: secret.text))
        } catch {
            reader.report(secret.setting, error.reason)
            return nil
        }
    }

    private static func reportSameTeam(_ reader: inout SettingsReader) {
        reader.report(.formerTeamID, "is the same as \(Setting.teamID.path): it is the team that had the app before")
    }

    /// Asks Apple for one of the two teams.
    func questions(with key: AppleClientKey, rate: Double?, over transport: AsyncHTTPTransport) -> TransferQuestions {
        let apple = AppleIDClient(
            server: server, clients: [ClientRegistration(id: client, kind: .app, key: key)], transport: transport,
            retries: .never, logger: Logger.standard(level: .error))
        return TransferQuestions(apple: apple, client: client, rate: rate) { until in
            complain("Apple wants not to be asked until \(until.date.formatted(.iso8601)).")
        }
    }

    /// Requires that a database is of the Apple that is asked.
    func requireOwn(_ store: AccountTransactions) async throws {
        let owner = try await store.bind(toIssuer: server.name)
        guard owner == server.name else {
            throw Failure(
                "this database belongs to \(owner), and the settings are for \(server.name)",
                hint: "give another --database, or talk to the Apple that this one belongs to")
        }
    }

    /// Runs work that asks Apple, and says what its errors mean.
    func asking<Value>(
        _ half: TransferHalf, _ work: (_ transport: AsyncHTTPTransport) async throws -> Value
    ) async throws -> Value {
        let transport = AsyncHTTPTransport()
        let result: Result<Value, any Error>
        do {
            result = .success(try await work(transport))
        } catch {
            result = .failure(half.failure(for: error))
        }
        try await transport.shutdown()
        return try result.get()
    }
}

/// The two halves of a transfer.
enum TransferHalf {
    case export
    case `import`

    func failure(for error: any Error) -> any Error {
        switch error {
        case TransferError.firstPeopleRefused(let count):
            Failure(
                "Apple refused the first \(count) people, and nobody else was asked about",
                hint: self == .export
                    ? "is the team the one that has the app, or had it less than sixty days ago? is --to the receiving team?"
                    : "has the new team accepted the app, and less than sixty days ago? does the file come from the former team?"
            )
        case TransferError.everybodyRefused(let count):
            Failure(
                "Apple refused \(count) people in a row, and then people about whom it had answered before",
                hint:
                    "if the sixty days are over, siwa transfer status --people lists who is left and what to do; if not, "
                    + "run the same command again later")
        case TransferError.notUsableByTarget:
            Failure(
                "Apple gave transfer_subs that lead the receiving team to nobody",
                hint: "is --to the Team ID of the team that accepted the app?")
        case let error as AppleIDError where error.kind == .transient:
            Failure(
                "Apple does not answer: \(error.reason)",
                hint: "what is done is kept: run the same command again, and it goes on")
        case let error as AppleIDError:
            Failure(error.reason, hint: "siwa doctor looks at the key and the client")
        default: error
        }
    }
}

extension TransferProgress {
    /// The words behind a progress bar: how fast it is, and how long it will take.
    /// - Parameter seconds: How long the run has taken so far.
    func note(after seconds: Double) -> String {
        let fast = "\(Self.text(rate))/s"
        let failures = failed > 0 ? ", \(failed) failed" : ""
        guard done > 0, seconds > 0 else { return fast + failures }
        let left = Int64((Double(total - min(done, total)) * seconds / Double(done)).rounded(.up))
        return "\(fast), \(TextForPeople.span(left)) left\(failures)"
    }

    private static func text(_ rate: Double) -> String {
        let tenths = Int((rate * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension TransferFailure {
    /// Advice to the operator about the failure.
    var advice: String {
        switch self {
        case .appleRefused:
            "the person may have stopped using the app; run the command again, and ask them to sign in"
        case .appleUnavailable:
            "Apple gives no answer about this person; run the command again, and ask them to sign in"
        case .accountExists:
            "the person has a second account under the new team; siwa transfer import --replacing ACCOUNT --yes gives them "
                + "this one instead; don't delete the second account before"
        case .accountIDTaken:
            "another account has this id; the file was not made for this database, or names none of the account's identities"
        case .identityChanged: "the identity is of another team by now; nothing is left to do if the person can sign in"
        default: "this version of siwa doesn't know the reason; update siwa to see what to do"
        }
    }

    /// Advice about a person whose transfer subject Apple hasn't been asked for.
    static let notAskedAdvice =
        "run siwa transfer export within the sixty days; after that, reach the person another way before they sign in "
        + "with Apple"
    /// Advice about a person for whom Apple has given a transfer subject.
    static let exportedAdvice =
        "run siwa transfer import within the sixty days, or wait until the person signs in; after that, reach the person "
        + "another way"
}
