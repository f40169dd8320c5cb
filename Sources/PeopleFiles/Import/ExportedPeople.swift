package import AccountService
import AppleIDTypes
import CommandIO
import Foundation

/// The lines of `siwa accounts export --all`, which `siwa import --from siwa` reads.
package enum ExportedPeople {
    /// The maximum length of a line that an import reads, in bytes.
    ///
    /// A consent takes about 300 bytes, stays after it was withdrawn, and a person may withdraw and give twenty a day. So no
    /// account comes near to this limit.
    static let maximumLineBytes = 64 << 20

    /// A line. Members without a value are left out.
    private struct Line: Encodable {
        struct Name: Encodable {
            let givenName, familyName, middleName, namePrefix, nameSuffix, nickname: String?
        }

        struct Former: Encodable {
            let source, id: String
            let imported: [String]?
        }

        struct Password: Encodable {
            let hash, setAt: String
            let isOff: Bool
        }

        struct Token: Encodable {
            let id, client, token, obtainedAt: String
        }

        struct Identity: Encodable {
            let id, provider, team, subject: String
            let email: String?
            let emailVerified, isPrivateEmail: Bool
            let realUserStatus: Int64?
            let organizationID: String?
            let createdAt, lastSignInAt: String
            let lastAuthorizedAt: String?
            let forwardsEmail: Bool?
            let forwardingChangedAt, accessEndedAt, accessEndReason, linkConsent: String?
            let password: Password?
            let appleTokens: [Token]?
        }

        struct Consent: Encodable {
            let id, purpose, textVersion, givenAt, session, client: String
            let address, device, withdrawnAt: String?
        }

        struct Merge: Encodable {
            let account, mergedAt: String
        }

        let account, createdAt: String
        let disabledAt: String?
        let name: Name?
        let nameTypedAt, phone, contactEmail, contactEmailVerifiedAt: String?
        let identities: [Identity]
        let consents: [Consent]?
        let mergedAccounts: [Merge]?
        let formerIDs: [Former]?
    }

    /// A line about people whose accounts were deleted.
    private struct ForgottenLine: Encodable {
        struct People: Encodable {
            let source: String
            let hashes: [String]
        }

        let forgotten: People
    }

    /// Writes the line of a person, without its end.
    package static func line(_ person: ImportedPerson) throws -> String {
        guard let exported = person.exported else { throw Failure("an account has no id") }
        let line = Line(
            account: exported.id.rawValue, createdAt: time(person.createdAt) ?? "",
            disabledAt: time(exported.disabledAt), name: person.name.map(name), nameTypedAt: time(exported.nameTypedAt),
            phone: exported.phone, contactEmail: exported.contactEmail,
            contactEmailVerifiedAt: time(exported.contactEmailVerifiedAt),
            identities: person.identities.compactMap(identity),
            consents: exported.consents.isEmpty ? nil : exported.consents.map(consent),
            mergedAccounts: exported.mergedAccounts.isEmpty
                ? nil
                : exported.mergedAccounts.map {
                    Line.Merge(account: $0.account.rawValue, mergedAt: ImportTime.text($0.mergedAt))
                },
            formerIDs: person.formerIDs.isEmpty
                ? nil
                : person.formerIDs.map {
                    Line.Former(source: $0.source, id: $0.id, imported: $0.imported?.sorted())
                })
        return try line.jsonText()
    }

    /// Writes the lines of people whose accounts were deleted, one for each source.
    package static func lines(_ people: [ForgottenPerson]) throws -> [String] {
        let bySource = Dictionary(grouping: people, by: \.source)
        return try bySource.sorted { $0.key < $1.key }.map { source, people in
            try ForgottenLine(forgotten: .init(source: source, hashes: people.map(\.hash.bytes.hexadecimal)))
                .jsonText()
        }
    }

    private static func time(_ moment: Timestamp?) -> String? { moment.map(ImportTime.text) }

    private static func name(_ name: PersonName) -> Line.Name {
        Line.Name(
            givenName: name.givenName, familyName: name.familyName, middleName: name.middleName,
            namePrefix: name.namePrefix, nameSuffix: name.nameSuffix, nickname: name.nickname)
    }

    private static func identity(_ identity: ImportedIdentity) -> Line.Identity? {
        guard let exported = identity.exported else { return nil }
        var password: Line.Password?
        if case .hash(let hash) = identity.password, let setAt = exported.passwordSetAt {
            password = Line.Password(hash: hash, setAt: ImportTime.text(setAt), isOff: exported.isPasswordOff)
        }
        let tokens = identity.appleTokens.compactMap { token -> Line.Token? in
            guard let id = token.id, let obtainedAt = token.obtainedAt else { return nil }
            return Line.Token(
                id: id.rawValue, client: token.client.rawValue, token: token.token,
                obtainedAt: ImportTime.text(obtainedAt))
        }
        return Line.Identity(
            id: exported.id.rawValue, provider: identity.provider.rawValue, team: identity.team.rawValue,
            subject: identity.subject.rawValue, email: identity.email, emailVerified: identity.emailVerified,
            isPrivateEmail: identity.isPrivateEmail, realUserStatus: exported.realUserStatus,
            organizationID: exported.organizationID, createdAt: ImportTime.text(exported.createdAt),
            lastSignInAt: ImportTime.text(exported.lastSignInAt), lastAuthorizedAt: time(exported.lastAuthorizedAt),
            forwardsEmail: exported.forwardsEmail, forwardingChangedAt: time(exported.forwardingChangedAt),
            accessEndedAt: time(exported.accessEndedAt), accessEndReason: exported.accessEndReason,
            linkConsent: exported.linkConsent?.rawValue, password: password, appleTokens: tokens.isEmpty ? nil : tokens)
    }

    private static func consent(_ consent: PortableConsent) -> Line.Consent {
        Line.Consent(
            id: consent.id.rawValue, purpose: consent.purpose, textVersion: consent.textVersion,
            givenAt: ImportTime.text(consent.givenAt), session: consent.session, client: consent.client,
            address: consent.address, device: consent.device, withdrawnAt: time(consent.withdrawnAt))
    }

    // MARK: Reading

    /// Reads a line about people whose accounts were deleted; nil for another line.
    static func forgotten(_ fields: ImportFields) throws(ImportFields.Problem) -> [ForgottenPerson]? {
        guard let forgotten = try fields.fields("forgotten") else { return nil }
        let source = try forgotten.id("source")
        return try forgotten.texts("hashes").map { text throws(ImportFields.Problem) in
            guard let bytes = [UInt8](hexadecimal: text), bytes.count == 32 else {
                throw ImportFields.Problem("has a hash that isn't 64 hexadecimal digits")
            }
            return ForgottenPerson(source: source, hash: TokenHash(bytes: bytes))
        }
    }

    /// Reads the line of a person.
    static func person(_ fields: ImportFields) throws(ImportFields.Problem) -> ImportedPerson {
        let formerIDs = try fields.list("formerIDs").map { former throws(ImportFields.Problem) in
            FormerID(source: try former.id("source"), id: try former.id("id"), imported: try imported(former))
        }
        var person = ImportedPerson(line: fields.line, formerIDs: formerIDs)
        var exported = PortableAccount(id: try id(fields, "account"))
        person.createdAt = try requiredTime(fields, "createdAt")
        exported.disabledAt = try optionalTime(fields, "disabledAt")
        if let name = try fields.fields("name") {
            person.name = PersonName(
                givenName: name.text("givenName"), familyName: name.text("familyName"),
                middleName: name.text("middleName"), namePrefix: name.text("namePrefix"),
                nameSuffix: name.text("nameSuffix"), nickname: name.text("nickname"))
        }
        exported.nameTypedAt = try optionalTime(fields, "nameTypedAt")
        exported.phone = fields.text("phone")
        exported.contactEmail = fields.text("contactEmail")
        exported.contactEmailVerifiedAt = try optionalTime(fields, "contactEmailVerifiedAt")
        for identity in try fields.list("identities") { person.identities.append(try self.identity(identity)) }
        for consent in try fields.list("consents") { exported.consents.append(try self.consent(consent)) }
        for merge in try fields.list("mergedAccounts") {
            exported.mergedAccounts.append(
                PortableMerge(account: try id(merge, "account"), mergedAt: try requiredTime(merge, "mergedAt")))
        }
        person.exported = exported
        return person
    }

    private static func identity(_ fields: ImportFields) throws(ImportFields.Problem) -> ImportedIdentity {
        var identity = ImportedIdentity(
            provider: IdentityProvider(rawValue: try fields.id("provider")), team: TeamID(try fields.id("team")),
            subject: Subject(try fields.id("subject")), email: fields.text("email"),
            emailVerified: try fields.isTrue("emailVerified"), isPrivateEmail: try fields.isTrue("isPrivateEmail"))
        var exported = PortableIdentity(
            id: try id(fields, "id"), createdAt: try requiredTime(fields, "createdAt"),
            lastSignInAt: try requiredTime(fields, "lastSignInAt"))
        exported.realUserStatus = fields.text("realUserStatus").flatMap { Int64($0) }
        exported.organizationID = fields.text("organizationID")
        exported.lastAuthorizedAt = try optionalTime(fields, "lastAuthorizedAt")
        exported.forwardsEmail = fields.flag("forwardsEmail")
        exported.forwardingChangedAt = try optionalTime(fields, "forwardingChangedAt")
        exported.accessEndedAt = try optionalTime(fields, "accessEndedAt")
        exported.accessEndReason = fields.text("accessEndReason")
        if fields.text("linkConsent") != nil { exported.linkConsent = try id(fields, "linkConsent") }
        if let password = try fields.fields("password") {
            identity.password = ImportedPassword(stored: try text(password, "hash"), isExported: true)
            exported.passwordSetAt = try requiredTime(password, "setAt")
            exported.isPasswordOff = try password.isTrue("isOff")
        }
        for token in try fields.list("appleTokens") {
            identity.appleTokens.append(
                ImportedAppleToken(
                    client: ClientID(try token.id("client")), token: try text(token, "token"),
                    id: try id(token, "id"), obtainedAt: try requiredTime(token, "obtainedAt")))
        }
        identity.exported = exported
        return identity
    }

    private static func consent(_ fields: ImportFields) throws(ImportFields.Problem) -> PortableConsent {
        PortableConsent(
            id: try id(fields, "id"), purpose: try fields.id("purpose"), textVersion: try fields.id("textVersion"),
            givenAt: try requiredTime(fields, "givenAt"), session: try fields.id("session"),
            client: try fields.id("client"), address: fields.text("address"), device: fields.text("device"),
            withdrawnAt: try optionalTime(fields, "withdrawnAt"))
    }

    private static func id<ID: ResourceID>(
        _ fields: ImportFields, _ name: String
    ) throws(ImportFields.Problem) -> ID {
        guard let id = fields.text(name).flatMap({ ID(received: $0) }) else {
            throw ImportFields.Problem("has a \(name) that isn't an id of siwa")
        }
        return id
    }

    private static func requiredTime(
        _ fields: ImportFields, _ name: String
    ) throws(ImportFields.Problem) -> Timestamp {
        guard let time = try optionalTime(fields, name) else { throw ImportFields.Problem("has no \(name)") }
        return time
    }

    /// Reads a time; nil if it isn't there. A time that can't be read is a problem: an account could open by it.
    private static func optionalTime(
        _ fields: ImportFields, _ name: String
    ) throws(ImportFields.Problem) -> Timestamp? {
        guard fields.text(name) != nil else { return nil }
        guard let time = fields.time(name) else { throw ImportFields.Problem("has a \(name) that isn't a time") }
        return time
    }

    /// Reads the names of what imports have brought under a former id; nil in exports of older versions.
    private static func imported(_ former: ImportFields) throws(ImportFields.Problem) -> Set<String>? {
        guard former.has("imported") else { return nil }
        let names = try former.texts("imported")
        guard names.allSatisfy({ (1...40).contains($0.utf8.count) && !$0.utf8.contains(UInt8(ascii: ",")) }) else {
            throw ImportFields.Problem("has an invalid name in imported")
        }
        return Set(names)
    }

    private static func text(_ fields: ImportFields, _ name: String) throws(ImportFields.Problem) -> String {
        guard let text = fields.text(name) else { throw ImportFields.Problem("has no \(name)") }
        return text
    }
}
