import AccountService
import CommandIO
import PeopleFiles

/// The counts of an import, and the people whom it left out.
struct ImportReport: Sendable {
    /// The number of people who are named when they are left out. The others are only counted.
    static let maximumNamed = 100
    /// The number of other providers that are counted apart, and the length to which their names are cut. A file may
    /// have any.
    private static let (maximumProviders, maximumNameLength) = (50, 60)

    private(set) var people = 0
    private(set) var new = 0
    private(set) var here = 0
    private(set) var completed = 0
    private(set) var repeated = 0
    private(set) var leftOut: [ImportProblem: Int] = [:]
    private(set) var unreadable = 0
    /// Whether the rest of the file is missing or can't be read.
    private(set) var isCutOff = false
    private(set) var newPasswords = 0
    /// New people whose unverified address was left out.
    private(set) var withoutAddress = 0
    /// People with an Apple identity.
    private(set) var apple = 0
    /// The number of people who sign in there with a provider that isn't configured here, by its name.
    private(set) var otherProviders: [String: Int] = [:]
    /// A line for each person who is left out, at most ``maximumNamed``.
    private(set) var named: [String] = []

    mutating func note(fault problem: String, line: Int) {
        people += 1
        unreadable += 1
        if ImportRecord.cuts.contains(problem) { isCutOff = true }
        name("line \(line): \(problem)")
    }

    mutating func note(_ person: ImportedPerson, _ outcome: ImportOutcome) {
        people += 1
        if person.identities.contains(where: { $0.provider == .apple }) { apple += 1 }
        for provider in Set(person.otherProviders.map { String($0.prefix(Self.maximumNameLength)) }) {
            let isListed = otherProviders[provider] != nil || otherProviders.count < Self.maximumProviders
            otherProviders[isListed ? provider : "others", default: 0] += 1
        }
        if outcome.needsNewPassword { newPasswords += 1 }
        if outcome.lacksAddress { withoutAddress += 1 }
        switch outcome.kind {
        case .new: new += 1
        case .here: here += 1
        case .completed: completed += 1
        case .repeated:
            repeated += 1
            name("line \(person.line): \(TextForPeople.quoted(person.shownID)) is in the file twice")
        case .leftOut(let problem):
            leftOut[problem, default: 0] += 1
            name("line \(person.line): \(TextForPeople.quoted(person.shownID)) \(problem.words)")
        }
    }

    private mutating func name(_ line: @autoclosure () -> String) {
        if named.count < Self.maximumNamed { named.append(line()) }
    }

    /// The number of people who are left out, unreadable or in the file twice.
    var notTaken: Int { leftOut.values.reduce(0, +) + unreadable + repeated }

    /// The number of people with its noun.
    var peopleText: String { TextForPeople.count(people, "person", "people") }

    /// Returns the last line: `8 people: 5 new, …`.
    func summary(isDryRun: Bool) -> String {
        var parts = [
            (new, isDryRun ? "would be new" : "new"), (completed, isDryRun ? "would be completed" : "completed"),
            (here, "here already"), (repeated, "in the file twice"), (unreadable, "unreadable"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        parts += ImportProblem.allCases.compactMap { problem in
            leftOut[problem].map { "\($0) \(problem.summary)" }
        }
        if newPasswords > 0 { parts.append("\(newPasswords) must choose a new password") }
        if withoutAddress > 0 { parts.append("\(withoutAddress) without their unverified address") }
        return "\(peopleText): \(parts.isEmpty ? "nobody" : parts.joined(separator: ", "))"
    }

    /// Lines about providers that this service doesn't have.
    var providerLines: [String] {
        otherProviders.sorted { $0.key < $1.key }.map { name, count in
            "\(TextForPeople.count(count, "person signs", "people sign")) in with \(TextForPeople.quoted(name)) there. "
                + "It isn't imported yet: the provider is not configured here."
        }
    }
}

extension ImportProblem {
    /// The fault of a person's record, printed behind their id.
    fileprivate var words: String {
        switch self {
        case .noIdentity: "has no identity that siwa can import"
        case .otherPerson: "has an identity of another person of this service"
        case .severalAccounts: "has identities of several accounts here"
        case .addressTaken: "has the address of an account here, and nothing proves that it is the same person"
        case .deleted: "had an account here, which was deleted since the last import"
        case .changed: "has other identities than the person who was imported with this id"
        case .idTaken: "has an id that belongs to something else here"
        case .appleAccountDeleted: "has deleted their Apple Account, and has no other identity that siwa can import"
        }
    }

    /// The words behind a number of people.
    fileprivate var summary: String {
        switch self {
        case .noIdentity: "without an identity"
        case .otherPerson: "with an identity of another person"
        case .severalAccounts: "with several accounts here"
        case .addressTaken: "whose address is taken here"
        case .deleted: "deleted here"
        case .changed: "with other identities than before"
        case .idTaken: "with an id that is taken here"
        case .appleAccountDeleted: "with a deleted Apple Account"
        }
    }
}
