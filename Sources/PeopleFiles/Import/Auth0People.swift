import AccountService

/// Reads people of Auth0: a line of a users export, or of the export of password hashes that its support makes.
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
