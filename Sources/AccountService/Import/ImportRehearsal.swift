import AppleID

/// Decides about the people of a file as an import would, and writes nothing.
///
/// It needs no store. It remembers whom the file had before, in some hundred bytes for each person.
package struct ImportRehearsal: Sendable {
    private let store: AccountTransactions?
    private let options: ImportOptions
    private var overlay = ImportOverlay()

    /// - Parameter store: Nil counts as an empty one.
    package init(in store: AccountTransactions?, options: ImportOptions = ImportOptions()) {
        self.store = store
        self.options = options
    }

    package mutating func run(_ people: [ImportedPerson]) async throws -> [ImportOutcome] {
        let batch = try ImportBatch(people, options, passwordSeal: nil, tokenSeal: nil, environment: .live)
        let found = try await store?.lookUpImported(batch) ?? .nobody(batch)
        var outcomes: [ImportOutcome] = []
        for (index, person) in batch.people.enumerated() {
            let (decision, isRepeated) = overlay.decide(person, found.people[index])
            var outcome = ImportOutcome(decision, person, isRepeated: isRepeated)
            if case .here(let account, _) = decision, outcome.kind == .here,
                !found.people[index].missingPasswords(of: person, in: account).isEmpty
            {
                outcome.kind = .completed
            }
            outcomes.append(outcome)
        }
        return outcomes
    }
}
