import AccountDatabase
import AppleID
import AppleIDTypes

extension AccountTransactions {
    /// Whether a person is to be moved to the team of their credential, and has no identity there yet. Their account
    /// would get the identity, so no other account can.
    func awaitsTransfer(_ person: SignInRecord.Person) async throws -> Bool {
        guard person.transferSubject != nil else { return false }
        return try await read { try $0.identity(of: person) == nil && $0.isToBeMoved(person) }
    }
}

extension SQLConnection {
    /// Adds Apple's identity to an account, and keeps what the credential brought for it. For a transaction that has
    /// locked the person, used up the credential and raised the account's revision.
    ///
    /// Throws ``AccountError/Code/credentialAlreadyInUse`` if the person has an identity, and
    /// ``AccountError/Code/transferNotCompleted``.
    func addIdentity(
        _ id: IdentityID, of proven: ProvenCredential, to account: AccountID, at moment: Timestamp
    ) throws {
        let person = proven.person
        try requireNoTransfer(of: person)
        let proof = AppleProof(of: person, token: proven.apple?.appleToken, at: moment)
        let early = try preSignInNotification(of: person, proof)
        let insertion = try insertion(of: person, proof, early, as: id, of: account, at: moment)
        guard try run([insertion]).last != 0 else { throw AccountError.credentialAlreadyInUse }
        try keepYield(of: proven, proof, for: id, at: moment)
    }

    /// Keeps what a credential brought for an identity that the account has. For a transaction like that of
    /// ``addIdentity(_:of:to:at:)``.
    ///
    /// Throws ``AccountError/Code/tokenTooOld`` if access at Apple ended after all that the credential proves.
    func renewIdentity(
        _ id: IdentityID, of proven: ProvenCredential, in account: AccountID, at moment: Timestamp
    ) throws {
        let proof = AppleProof(of: proven.person, token: proven.apple?.appleToken, at: moment)
        guard try noteAuthorization(id, of: account, proven.person, proof, at: moment) else {
            throw AccountError.identityUnknown
        }
        try keepYield(of: proven, proof, for: id, at: moment)
    }

    private func keepYield(
        of proven: ProvenCredential, _ proof: AppleProof, for identity: IdentityID, at moment: Timestamp
    ) throws {
        let person = proven.person.personHash
        let token = proven.apple?.appleToken
        try withdrawRevocations(of: person, for: identity, proof, newToken: token, at: moment)
        if let token { try keepAppleToken(token, of: identity) }
        if var code = proven.apple?.waitingCode {
            code.identityID = identity
            try insertOutbox(code)
        }
    }

    /// Gives an account the name that came with a credential, if the account has none and its person has removed none.
    func setNameUnlessThere(_ name: PersonName?, of account: Account) throws {
        guard account.name == nil, let name else { return }
        try execute(.nameUnlessTyped, [.id(account.id)] + SQLValue.name(name))
    }

    /// Removes an email identity with its password, its links and its wrong passwords. For a transaction that has raised
    /// the account's revision.
    func removeEmailIdentity(_ id: IdentityID, forms: EmailFormHashes, at moment: Timestamp) throws {
        let subject = try first(.subjectOfIdentity, [.id(id)]) { try Subject($0.text()) }
        if let form = subject.map(EmailForm.init(subject:)) {
            try removeLinks(of: forms.links(of: form))
            try forgetFailures(forms.failures(of: form))
        }
        try removePassword(of: id)
        try markRemoved(id, at: moment)
    }

    /// Finds the identity of a person, and the account that it opens. Nil if the person has none.
    func identity(of person: SignInRecord.Person) throws -> (id: IdentityID, account: AccountID)? {
        try first(.identityOfPerson, [.text(person.provider), .text(person.team), .text(person.subject)]) { columns in
            try (columns.word(), columns.word())
        }
    }
}

extension SQLStatement {
    fileprivate static let identityOfPerson: Self = """
        SELECT id, account_id FROM identities WHERE provider = ?1 AND team = ?2 AND subject = ?3
        """
    fileprivate static let subjectOfIdentity: Self = "SELECT subject FROM identities WHERE id = ?1"
    fileprivate static let nameUnlessTyped: Self = """
        UPDATE accounts SET given_name = ?2, family_name = ?3, middle_name = ?4, name_prefix = ?5, name_suffix = ?6,
            nickname = ?7
        WHERE id = ?1 AND name_typed_at IS NULL
        """
}
