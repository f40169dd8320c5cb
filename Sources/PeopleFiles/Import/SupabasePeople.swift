import AccountService

/// Reads people of Supabase: a row of `auth.users`, with the person's rows of `auth.identities` as a JSON list in the
/// column `identities`.
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
            person.isDisabled = ImportTime.parse(end).map { $0 > context.now } ?? true
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
