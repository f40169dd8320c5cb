import AccountService
import AppleIDTypes
import ArgumentParser
import Foundation

/// A service whose people can be imported, or a form of file.
enum ImportFormat: String, CaseIterable, ExpressibleByArgument {
    case firebase
    case supabase
    case auth0
    case serverpod
    case csv
    /// An export of siwa itself.
    case siwa

    /// The name that the store remembers beside a person's former id.
    var source: String { rawValue }
}

/// The settings that a reader of people needs beside the file.
struct ImportContext {
    /// The team to whose apps the people have signed in with Apple.
    var team: TeamID
    /// The clients to which Apple's refresh tokens of Serverpod belong.
    var bundleID: ClientID?
    var servicesID: ClientID?
    /// The parameters of Firebase's password hashes; nil without `--hash-config`.
    var firebase: FirebaseScrypt?
    var mapping: CSVMapping?
    /// The name of `--source`, which the store remembers in place of the service's.
    var source: String?
    /// The issuers of the other providers that this service's database knows, by their ids.
    var providers: [String: String] = [:]
}

/// The other providers that an import can bring. Their subjects are the same in every service of one project.
///
/// Microsoft's subjects differ from app to app, so they would find nobody here.
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

    /// Sets the parts of a name. Without parts the whole name becomes the nickname, because nobody knows its parts.
    mutating func setName(given: String?, family: String?, whole: String?) {
        name = PersonName(givenName: given, familyName: family) ?? PersonName(nickname: whole)
    }
}

/// Firebase Authentication: `auth:export`, or `export-firebase-users.mjs`, which has the same members.
enum FirebasePeople {
    static func person(
        _ fields: ImportFields, _ context: ImportContext
    ) throws(ImportFields.Problem) -> ImportedPerson {
        var person = ImportedPerson(
            line: fields.line, formerIDs: [FormerID(source: "firebase", id: try fields.id("localId"))])
        person.setName(given: nil, family: nil, whole: fields.text("displayName"))
        person.createdAt = fields.time("createdAt")
        person.lastSignInAt = fields.time("lastSignedInAt") ?? fields.time("lastLoginAt")
        person.isDisabled = try fields.isTrue("disabled")
        let isVerified = fields.flag("emailVerified") == true
        var byAddress = false
        for provider in try fields.list("providerUserInfo") {
            switch provider.text("providerId") {
            case "apple.com": try person.addApple(try provider.id("rawId"), context, email: provider.text("email"))
            case "password": byAddress = true
            case let other?:
                // `emailVerified` is about the address of the user, not of the provider.
                let email = provider.text("email")
                person.addOther(
                    other, provider.text("rawId"), context, email: email,
                    emailVerified: isVerified && email != nil && email == fields.text("email"))
            case nil: break
            }
        }
        let hash = fields.text("passwordHash")
        if let address = fields.text("email"), hash != nil || byAddress {
            try person.addEmail(
                address, isVerified: isVerified,
                password: try hash.map { hash throws(ImportFields.Problem) in
                    try password(hash, salt: fields.text("salt"), context)
                })
        }
        if fields.text("phoneNumber") != nil, person.identities.isEmpty, person.otherProviders.isEmpty {
            person.otherProviders.append("phone")
        }
        return person
    }

    /// Reads a hash and its salt in base64. The Admin SDK writes the variant for URLs.
    private static func password(
        _ hash: String, salt: String?, _ context: ImportContext
    ) throws(ImportFields.Problem) -> ImportedPassword {
        guard let scrypt = context.firebase else { return .unknown }
        guard let hash = Base64Text.bytes(hash), let salt = Base64Text.bytes(salt ?? "") else {
            throw ImportFields.Problem("has a passwordHash or salt that isn't base64")
        }
        guard let foreign = ForeignPasswordHash(scrypt, salt: salt, hash: hash) else { return .unknown }
        return .hash(foreign.text)
    }
}

/// Supabase: a row of `auth.users`, with the person's rows of `auth.identities` as a JSON list in the column
/// `identities`.
enum SupabasePeople {
    static func person(
        _ fields: ImportFields, _ context: ImportContext
    ) throws(ImportFields.Problem) -> ImportedPerson {
        var person = ImportedPerson(
            line: fields.line, formerIDs: [FormerID(source: "supabase", id: try fields.id("id"))])
        let metadata = try fields.fields("raw_user_meta_data")
        person.setName(
            given: metadata?.text("given_name") ?? metadata?.text("first_name"),
            family: metadata?.text("family_name") ?? metadata?.text("last_name"),
            whole: metadata?.text("full_name") ?? metadata?.text("name") ?? metadata?.text("display_name"))
        person.createdAt = fields.time("created_at")
        person.lastSignInAt = fields.time("last_sign_in_at")
        // An account without this time isn't banned.
        if let end = fields.text("banned_until") {
            // PostgreSQL's `infinity`, too.
            person.isDisabled = ImportTime.parse(end).map { $0 > Timestamp(.now) } ?? true
        }
        var byAddress = false
        for identity in try fields.list("identities") {
            switch identity.text("provider") {
            case "apple":
                let data = try identity.fields("identity_data")
                guard let subject = data?.text("sub") ?? identity.text("provider_id") else {
                    throw ImportFields.Problem("has an Apple identity without a provider_id")
                }
                try person.addApple(
                    subject, context, email: data?.text("email"),
                    emailVerified: data?.flag("email_verified") ?? true)
            case "email": byAddress = true
            case let other?:
                let data = try identity.fields("identity_data")
                person.addOther(
                    other, identity.text("provider_id"), context, email: data?.text("email"),
                    emailVerified: data?.flag("email_verified") == true)
            case nil: break
            }
        }
        let hash = fields.text("encrypted_password")
        if let address = fields.text("email"), hash != nil || byAddress {
            let isVerified = fields.text("email_confirmed_at") != nil
            try person.addEmail(address, isVerified: isVerified, password: hash.map { ImportedPassword(stored: $0) })
        }
        return person
    }
}

/// Auth0: a line of a users export, or of the export of password hashes that its support makes.
enum Auth0People {
    static func person(
        _ fields: ImportFields, _ context: ImportContext
    ) throws(ImportFields.Problem) -> ImportedPerson {
        if let id = try fields.fields("_id") { return try person(fields, hashesOf: id) }
        var person = ImportedPerson(
            line: fields.line, formerIDs: [FormerID(source: "auth0", id: try fields.id("user_id"))])
        person.setName(
            given: fields.text("given_name"), family: fields.text("family_name"),
            whole: fields.text("name") == fields.text("email") ? nil : fields.text("name"))
        person.createdAt = fields.time("created_at")
        person.lastSignInAt = fields.time("last_login")
        person.isDisabled = try fields.isTrue("blocked")
        let isVerified = fields.flag("email_verified") == true
        let first = fields.text("user_id")?.split(separator: "|", maxSplits: 1).map(String.init) ?? []
        let identities = try fields.list("identities")
        try add(
            identities.first?.text("provider") ?? first.first,
            identities.first?.text("user_id") ?? (first.count == 2 ? first[1] : nil), email: fields.text("email"),
            isVerified: isVerified, to: &person, context)
        // Accounts that were linked keep their own addresses, and their former ids, by which hashes come.
        for identity in identities.dropFirst() {
            let (provider, subject) = (identity.text("provider"), identity.text("user_id"))
            if let provider, let subject, (provider + "|" + subject).utf8.count <= FormerID.maximumLength {
                person.formerIDs.append(FormerID(source: "auth0", id: provider + "|" + subject))
            }
            let profile = try identity.fields("profileData")
            try add(
                provider, subject, email: profile?.text("email"),
                isVerified: profile?.flag("email_verified") == true, to: &person, context)
        }
        return person
    }

    /// Adds one of the accounts that make a user. The hash of a password comes in the other file.
    private static func add(
        _ provider: String?, _ subject: String?, email: String?, isVerified: Bool, to person: inout ImportedPerson,
        _ context: ImportContext
    ) throws(ImportFields.Problem) {
        switch (provider, subject) {
        case ("apple", let subject?):
            try person.addApple(subject, context, email: email, emailVerified: isVerified)
        case ("auth0", _), ("email", _):
            guard let email else { return }
            try person.addEmail(email, isVerified: isVerified, password: provider == "auth0" ? .unknown : nil)
        case (let other?, let subject):
            person.addOther(other, subject, context, email: email, emailVerified: isVerified)
        case (nil, _): break
        }
    }

    private static func person(
        _ fields: ImportFields, hashesOf id: ImportFields
    ) throws(ImportFields.Problem) -> ImportedPerson {
        let former: String
        if let own = fields.text("alt_id") { former = own } else { former = try id.id("$oid") }
        var person = ImportedPerson(
            line: fields.line, formerIDs: [FormerID(source: "auth0", id: "auth0|" + former)])
        let identifier = try fields.list("identifiers").first { $0.text("type") == "email" }
        guard let address = fields.text("email") ?? identifier?.text("value") else { return person }
        let isVerified = fields.flag("email_verified") ?? identifier?.flag("verified") ?? false
        try person.addEmail(
            address, isVerified: isVerified,
            password: fields.text("passwordHash").map { ImportedPassword(stored: $0) } ?? .unknown)
        return person
    }
}

/// Serverpod: a row of the query that the guide has, for its present tables and for those before version 3.
enum ServerpodPeople {
    static func person(
        _ fields: ImportFields, _ context: ImportContext
    ) throws(ImportFields.Problem) -> ImportedPerson {
        var person = ImportedPerson(
            line: fields.line, formerIDs: [FormerID(source: "serverpod", id: try fields.id("id"))])
        person.createdAt = fields.time("created_at")
        person.isDisabled = try fields.isTrue("blocked")
        person.setName(
            given: fields.text("apple_first_name"), family: fields.text("apple_last_name"),
            whole: fields.text("full_name") ?? fields.text("user_name"))
        if let subject = fields.text("apple_user_identifier") {
            try person.addApple(
                subject, context, email: fields.text("apple_email"),
                emailVerified: fields.flag("apple_email_verified") ?? true)
            if let token = fields.text("apple_refresh_token"), let last = person.identities.indices.last {
                let isApps = fields.flag("apple_refresh_token_by_bundle_id") ?? true
                if let client = isApps ? context.bundleID : context.servicesID {
                    person.identities[last].appleTokens = [ImportedAppleToken(client: client, token: token)]
                }
            }
        }
        if let address = fields.text("email_account") {
            // Serverpod makes an account of an address after its owner has confirmed it. Its hashes need a pepper.
            try person.addEmail(address, isVerified: true, password: .unknown)
        }
        person.otherProviders += try fields.texts("other_providers")
        return person
    }
}

/// A base64 text of either variant, with or without padding.
enum Base64Text {
    static func bytes(_ text: String) -> [UInt8]? {
        var bytes = text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        while !bytes.count.isMultiple(of: 4) { bytes.append(UInt8(ascii: "=")) }
        return Data(base64Encoded: Data(bytes)).map(Array.init)
    }
}
