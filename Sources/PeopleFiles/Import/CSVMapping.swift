import AccountService
import AppleIDTypes
package import CommandIO
import Foundation
import StrictJSON

/// Names the column of a CSV file for each fact about a person. It is a JSON object with a member for each fact.
///
/// ```json
/// {"id": "user_id", "email": "mail", "emailVerified": true, "appleSub": "apple_sub", "passwordHash": "pw_bcrypt"}
/// ```
package struct CSVMapping: Sendable {
    /// The facts that a mapping can name.
    enum Fact: String, CaseIterable {
        case id, email, emailVerified, emailSignIn, appleSub, appleEmail, givenName, familyName, name, passwordHash
        case createdAt, lastSignInAt, disabled
    }

    enum Value: Equatable, Sendable {
        case column(String)
        case flag(Bool)
    }

    private let values: [Fact: Value]
    let separator: UInt8

    /// Reads the JSON text of a mapping.
    /// - Throws: ``Failure`` that says which member is wrong.
    package init(json bytes: [UInt8]) throws(Failure) {
        let root: JSONValue
        do {
            root = try JSONDocument(bytes).root
        } catch {
            throw Failure("--mapping: the file isn't valid JSON")
        }
        guard root.kind == .object else { throw Failure("--mapping: the file isn't a JSON object") }
        var values: [Fact: Value] = [:]
        var separator = UInt8(ascii: ",")
        for (name, value) in root.members {
            if name == "separator" {
                guard let text = value.string, text.utf8.count == 1, let byte = text.utf8.first, byte != 0x22,
                    byte != 0x0A
                else { throw Failure("--mapping: separator must be one character, such as \";\" or a tab") }
                separator = byte
            } else {
                guard let fact = Fact(rawValue: name) else {
                    throw Failure(
                        "--mapping: there is no fact \(TextForPeople.quoted(name))",
                        hint: "the facts are \(Fact.allCases.map(\.rawValue).joined(separator: ", "))")
                }
                if let column = value.string {
                    values[fact] = .column(column)
                } else if let flag = value.bool, [.emailVerified, .emailSignIn].contains(fact) {
                    values[fact] = .flag(flag)
                } else {
                    throw Failure("--mapping: \(name) must be the name of a column")
                }
            }
        }
        guard values[.id] != nil else { throw Failure("--mapping: id is missing: the column with the ids") }
        guard values[.email] != nil || values[.appleSub] != nil else {
            throw Failure("--mapping: email and appleSub are both missing, so nobody could sign in")
        }
        self.values = values
        self.separator = separator
    }

    /// Checks that a file has the columns of the mapping.
    /// - Throws: ``Failure`` for a column that the file doesn't have.
    func check(_ columns: [String]) throws(Failure) {
        for case .column(let name) in values.values where !columns.contains(name) {
            throw Failure("--mapping: the file has no column \(TextForPeople.quoted(name))")
        }
    }

    fileprivate func column(_ fact: Fact) -> String? {
        guard case .column(let name) = values[fact] else { return nil }
        return name
    }

    fileprivate func text(_ fact: Fact, of fields: ImportFields) -> String? { column(fact).flatMap(fields.text) }

    fileprivate func time(_ fact: Fact, of fields: ImportFields) throws(ImportFields.Problem) -> Timestamp? {
        guard let text = text(fact, of: fields) else { return nil }
        guard let time = ImportTime.parse(text) else {
            throw ImportFields.Problem(
                "has a \(fact.rawValue) that isn't a time in RFC 3339 or in milliseconds since 1970")
        }
        return time
    }

    /// Returns whether a fact is true; nil if it isn't known.
    ///
    /// A time counts as true, because some tables have the time of confirmation.
    fileprivate func flag(_ fact: Fact, of fields: ImportFields) throws(ImportFields.Problem) -> Bool? {
        switch values[fact] {
        case .flag(let flag): return flag
        case .column(let name):
            guard let text = fields.text(name) else { return nil }
            if let flag = fields.flag(name) { return flag }
            guard ImportTime.parse(text) != nil else {
                throw ImportFields.Problem("has a \(fact.rawValue) that isn't true, false or a time")
            }
            return true
        case nil: return nil
        }
    }
}

/// Reads people of a CSV file with any columns.
enum MappedPeople {
    static func person(
        _ fields: ImportFields, _ context: ImportContext
    ) throws(ImportFields.Problem) -> ImportedPerson {
        guard let mapping = context.mapping, let id = mapping.column(.id) else {
            throw ImportFields.Problem("needs --mapping")
        }
        var person = ImportedPerson(line: fields.line, formerIDs: [FormerID(source: "csv", id: try fields.id(id))])
        person.setName(
            given: mapping.text(.givenName, of: fields), family: mapping.text(.familyName, of: fields),
            whole: mapping.text(.name, of: fields))
        person.createdAt = try mapping.time(.createdAt, of: fields)
        person.lastSignInAt = try mapping.time(.lastSignInAt, of: fields)
        person.isDisabled = try mapping.flag(.disabled, of: fields) == true
        if let subject = mapping.text(.appleSub, of: fields) {
            try person.addApple(subject, context, email: mapping.text(.appleEmail, of: fields))
        }
        let hash = mapping.text(.passwordHash, of: fields)
        // Without the fact, an address signs in if there is a password, or no other identity.
        let byAddress = try mapping.flag(.emailSignIn, of: fields) ?? (hash != nil || person.identities.isEmpty)
        if let address = mapping.text(.email, of: fields), byAddress {
            try person.addEmail(
                address, isVerified: try mapping.flag(.emailVerified, of: fields) == true,
                password: hash.map { ImportedPassword(stored: $0) })
        }
        return person
    }
}
