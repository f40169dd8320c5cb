package import AppleID
import AppleIDTypes

/// The choices of an operator about an import.
package struct ImportOptions: Sendable {
    /// Whether the import takes the passwords of addresses that the other service hasn't verified. If somebody else
    /// typed the address there first, they have a password for an account that the address's owner may use.
    package var importsUnverifiedPasswords = false
    /// Whether every address of the file counts as unverified. Some services call an address verified without a proof.
    package var distrustsAddresses = false

    package init() {}
}

/// The people whom one transaction imports, with their ids and seals. A transaction that runs again writes the same
/// values.
package struct ImportBatch: Sendable {
    /// The number of people in one transaction. Until it ends, sign-ins wait: on SQLite all, on PostgreSQL those of
    /// these people.
    package static let size = 800

    let at: Timestamp
    let people: [PreparedPerson]

    /// The number of people in the batch.
    package var count: Int { people.count }
}

/// A person with the ids and seals of their rows.
struct PreparedPerson: Sendable {
    let person: ImportedPerson
    let account: AccountID
    let formerHashes: [TokenHash]
    /// The ids and seals of the identities, in the order of the person's identities.
    let identities: [PreparedIdentity]
    /// Whether the person had an unverified address beside another identity. The import leaves the address out.
    let lacksAddress: Bool
    /// The names of the identities and the password to import, as the table `imported_people` remembers them.
    let kinds: String

    init(
        person: ImportedPerson, account: AccountID, formerHashes: [TokenHash], identities: [PreparedIdentity],
        lacksAddress: Bool
    ) {
        self.person = person
        self.account = account
        self.formerHashes = formerHashes
        self.identities = identities
        self.lacksAddress = lacksAddress
        var kinds = Set(person.identities.map(\.kind))
        if identities.contains(where: { $0.passwordText != nil }) { kinds.insert(Self.passwordKind) }
        if person.identities.contains(where: { $0.provider == .email && !$0.emailVerified }) {
            kinds.insert(Self.unverifiedKind)
        }
        self.kinds = kinds.sorted().joined(separator: ",")
    }

    /// Whether the person had a password that isn't imported.
    var needsNewPassword: Bool { identities.contains(where: \.needsNewPassword) }

    /// The names of everything that an import could bring of the person.
    var allKinds: Set<String> { Set(person.identities.map(\.kind)).union([Self.passwordKind]) }

    static let passwordKind = "password"
    static let unverifiedKind = "unverified"
}

/// An identity with the id and the seals of its rows.
struct PreparedIdentity: Sendable {
    let id: IdentityID
    /// The hash by which a transaction locks the person; see ``TokenHash/person(team:subject:)``.
    let personHash: TokenHash
    /// The look-up form of the address of Apple or another provider; nil where it is the address itself, and where there is
    /// none. An email identity has its form as its subject.
    ///
    /// Earlier versions imported the identities of other providers without it. Such an identity is found by the spelling of
    /// its address alone, until a sign-in brings another address.
    let emailForm: String?
    let passwordText: String?
    let sealedPassword: [UInt8]?
    let needsNewPassword: Bool
    let tokens: [AppleToken]
}

/// Imports people of another service into the store.
///
/// A repeated run passes over the people who are there, so it continues a run that was interrupted.
package struct PersonImport: Sendable {
    let store: AccountTransactions
    let passwordSeal: Seal
    let tokenSeal: Seal
    let options: ImportOptions
    let environment: AppleIDEnvironment

    /// - Parameter keyRing: seals password hashes and Apple's tokens.
    package init(
        store: AccountTransactions, keyRing: KeyRing, options: ImportOptions = ImportOptions(),
        environment: AppleIDEnvironment = .live
    ) {
        self.store = store
        let keyRing = KeyRingInUse(keyRing)
        passwordSeal = Seal(.password, keyRing: keyRing)
        tokenSeal = Seal(.appleRefreshToken, keyRing: keyRing)
        self.options = options
        self.environment = environment
    }

    /// Makes the ids and seals of people.
    package func prepare(_ people: [ImportedPerson]) throws -> ImportBatch {
        try ImportBatch(
            people, options, passwordSeal: passwordSeal, tokenSeal: tokenSeal, environment: environment)
    }

    /// Records in the audit that an import has begun.
    package func begin(from source: String) async throws {
        try await store.append(
            AuditEntry(
                .peopleImported, at: Timestamp(environment.now()), by: .operator, account: nil, subject: source))
    }

    /// Writes people in one transaction.
    /// - Parameter looksUp: whether some of them may be here. Otherwise the import first tries to write them without
    ///   looking for them.
    package func write(_ batch: ImportBatch, looksUp: Bool = true) async throws -> [ImportOutcome] {
        // An account of an export may have been deleted or merged here, which only a look tells.
        if !looksUp, !batch.people.contains(where: { $0.person.exported != nil }) {
            do {
                return try await store.importPeople(batch, looksUp: false, passwordSeal)
            } catch is SomebodyIsHere {
                // The transaction has written nothing.
            }
        }
        do {
            return try await store.importPeople(batch, looksUp: true, passwordSeal)
        } catch is SomebodyIsHere {
            return try await writeOneByOne(batch)
        }
    }

    /// Writes the people of a batch one by one, because somebody of them came here at the same moment, or an id is
    /// taken.
    private func writeOneByOne(_ batch: ImportBatch) async throws -> [ImportOutcome] {
        var outcomes: [ImportOutcome] = []
        for person in batch.people {
            do {
                outcomes += try await store.importPeople(
                    ImportBatch(at: batch.at, people: [person]), looksUp: true, passwordSeal)
            } catch is SomebodyIsHere {
                outcomes.append(ImportOutcome(kind: .leftOut(.idTaken), needsNewPassword: false))
            }
        }
        return outcomes
    }

    /// Notes people of an export whose accounts were deleted at the other service. A later import of them is left out.
    package func forget(_ people: [ForgottenPerson]) async throws {
        try await store.forgetImported(people)
    }
}

extension ImportBatch {
    /// - Parameters:
    ///   - passwordSeal: nil for a dry run, which writes nothing.
    init(
        _ people: [ImportedPerson], _ options: ImportOptions, passwordSeal: Seal?, tokenSeal: Seal?,
        environment: AppleIDEnvironment
    ) throws {
        let moment = Timestamp(environment.now())
        at = moment
        var randomness = environment.randomBytes(people.reduce(0) { $0 + 10 * (1 + $1.rowCount) })[...]
        func next() -> [UInt8] {
            defer { randomness = randomness.dropFirst(10) }
            return Array(randomness.prefix(10))
        }
        self.people = try people.map { original in
            let (person, lacksAddress) = original.trusted(options)
            let account = person.exported?.id ?? AccountID(at: moment, randomness: next())
            let identities = try person.identities.map { identity in
                let id = identity.exported?.id ?? IdentityID(at: moment, randomness: next())
                // An export has a password only if a siwa has taken it before.
                let isTaken =
                    identity.emailVerified || options.importsUnverifiedPasswords || identity.exported != nil
                var text: String?
                if case .hash(let hash) = identity.password, isTaken { text = hash }
                let tokens = try tokenSeal.map { seal in
                    try identity.appleTokens.map { token in
                        let id = token.id ?? AppleTokenID(at: moment, randomness: next())
                        return AppleToken(
                            id: id, clientID: token.client,
                            sealed: try seal.seal(
                                Array(token.token.utf8), row: id.rawValue, client: token.client.rawValue),
                            obtainedAt: token.obtainedAt ?? moment)
                    }
                }
                return PreparedIdentity(
                    id: id, personHash: identity.personHash,
                    emailForm: identity.provider == .email ? nil : EmailForm.besides(identity.email),
                    passwordText: text,
                    sealedPassword: try text.flatMap { try passwordSeal?.seal(Array($0.utf8), row: id.rawValue) },
                    needsNewPassword: identity.password != nil && text == nil, tokens: tokens ?? [])
            }
            return PreparedPerson(
                person: person, account: account, formerHashes: person.formerIDs.map(\.hash), identities: identities,
                lacksAddress: lacksAddress)
        }
    }
}

extension ImportedPerson {
    /// Returns the person without an unverified address beside other identities.
    ///
    /// The owner of the address would otherwise prove it here, and share the account with whoever made those identities
    /// at the other service.
    fileprivate func trusted(_ options: ImportOptions) -> (Self, lacksAddress: Bool) {
        guard exported == nil, let index = identities.firstIndex(where: { $0.provider == .email }) else {
            return (self, false)
        }
        var person = self
        if options.distrustsAddresses { person.identities[index].emailVerified = false }
        let isAlone = identities.count + otherProviders.count == 1
        guard !person.identities[index].emailVerified, !isAlone, !options.importsUnverifiedPasswords else {
            return (person, false)
        }
        person.identities.remove(at: index)
        return (person, true)
    }

    /// The most ids that the person needs beside the account's.
    fileprivate var rowCount: Int { identities.reduce(0) { $0 + 1 + $1.appleTokens.count } }
}

/// The outcome of an import for one person of another service.
package struct ImportOutcome: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case new
        /// The person was here, and nothing was added.
        case here
        /// The person was here, and the import added identities or a password.
        case completed
        /// The file has the person twice.
        case repeated
        case leftOut(ImportProblem)
    }

    package var kind: Kind
    /// Whether the person must choose a new password.
    package var needsNewPassword: Bool
    /// Whether the new account lacks an address, because the other service hadn't verified it.
    package var lacksAddress = false
}

/// A person of the batch is here, or came at the same moment.
struct SomebodyIsHere: Error {}
