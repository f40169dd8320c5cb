package import AccountService
package import AppleIDTypes

/// A service whose people can be imported, or a form of file.
package enum ImportFormat: String, CaseIterable, Sendable {
    case firebase
    case supabase
    case auth0
    case serverpod
    case csv
    /// An export of siwa itself.
    case siwa

    /// The name that the store remembers beside a person's former id.
    package var source: String { rawValue }
}

/// The settings that a reader of people needs beside the file.
package struct ImportContext: Sendable {
    /// The team to whose apps the people have signed in with Apple.
    package var team: TeamID
    /// The time that decides whether a ban still holds.
    package var now: Timestamp
    /// The App ID to which Apple's refresh tokens of Serverpod belong.
    package var bundleID: ClientID?
    /// The Services ID to which Apple's refresh tokens of Serverpod belong.
    package var servicesID: ClientID?
    /// The parameters of Firebase's password hashes; nil without `--hash-config`.
    package var firebase: FirebaseScrypt?
    /// The columns of a CSV file; nil for any other file.
    package var mapping: CSVMapping?
    /// The name of `--source`, which the store remembers in place of the service's.
    package var source: String?
    /// The issuers of the other providers that this service's database knows, by their ids.
    package var providers: [String: String] = [:]

    /// Makes the settings that every reader needs. A caller sets those of one service on their own.
    package init(team: TeamID, now: Timestamp) {
        self.team = team
        self.now = now
    }
}

/// The other providers that an import can bring. Their subjects are the same in every service of one project.
///
/// Microsoft's subjects differ from app to app, so they would match no person here.
private enum ImportableProvider {
    /// Returns the id by which this service's settings name a provider; nil for a provider that isn't imported.
    static func id(of name: String) -> String? {
        switch name {
        case "google.com", "google", "google-oauth2": "google"
        case "facebook.com", "facebook": "facebook"
        default: nil
        }
    }
}

extension ImportFormat {
    /// Reads a person.
    func person(_ fields: ImportFields, _ context: ImportContext) throws(ImportFields.Problem) -> ImportedPerson {
        var person = try read(fields, context)
        if self != .siwa, let source = context.source {
            person.formerIDs = person.formerIDs.map { FormerID(source: source, id: $0.id) }
        }
        return person
    }

    private func read(_ fields: ImportFields, _ context: ImportContext) throws(ImportFields.Problem) -> ImportedPerson {
        switch self {
        case .firebase: try FirebasePeople.person(fields, context)
        case .supabase: try SupabasePeople.person(fields, context)
        case .auth0: try Auth0People.person(fields, context)
        case .serverpod: try ServerpodPeople.person(fields, context)
        case .csv: try MappedPeople.person(fields, context)
        case .siwa: try ExportedPeople.person(fields)
        }
    }
}

extension ImportedPerson {
    /// Adds an Apple identity.
    mutating func addApple(
        _ subject: String, _ context: ImportContext, email: String?, emailVerified: Bool = true
    ) throws(ImportFields.Problem) {
        guard
            let identity = ImportedIdentity.apple(
                subject, team: context.team, email: email, emailVerified: emailVerified)
        else { throw ImportFields.Problem("has an invalid Apple sub") }
        if !identities.contains(where: { $0.provider == .apple && $0.subject == identity.subject }) {
            identities.append(identity)
        }
    }

    /// Adds the identity of another provider, or only the provider's name if this service doesn't know the provider.
    mutating func addOther(
        _ name: String, _ subject: String?, _ context: ImportContext, email: String?, emailVerified: Bool
    ) {
        guard let id = ImportableProvider.id(of: name), let issuer = context.providers[id], let subject,
            let identity = ImportedIdentity.other(
                id, issuer: issuer, subject: subject, email: email, emailVerified: emailVerified)
        else { return otherProviders.append(name) }
        if !identities.contains(where: { $0.provider == identity.provider }) { identities.append(identity) }
    }

    /// Adds an email identity.
    mutating func addEmail(
        _ address: String, isVerified: Bool, password: ImportedPassword?
    ) throws(ImportFields.Problem) {
        guard let identity = ImportedIdentity.email(address, isVerified: isVerified, password: password) else {
            throw ImportFields.Problem("has an invalid email address")
        }
        if !identities.contains(where: { $0.provider == .email }) { identities.append(identity) }
    }

    /// Sets the parts of a name. Without parts, the whole name becomes the nickname.
    mutating func setName(given: String?, family: String?, whole: String?) {
        name = PersonName(givenName: given, familyName: family) ?? PersonName(nickname: whole)
    }
}
