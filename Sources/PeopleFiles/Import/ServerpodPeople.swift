import AccountService

/// Reads people of Serverpod: a row of the query in Docs/import-serverpod.md, for its present tables and for those before
/// version 3.
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
