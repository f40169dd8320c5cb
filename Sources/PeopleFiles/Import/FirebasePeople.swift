import AccountService
import Foundation

/// Reads people of Firebase Authentication, from the file of `auth:export` or of `export-firebase-users.mjs`. Both have the
/// same members.
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
