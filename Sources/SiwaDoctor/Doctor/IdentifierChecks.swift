import AppleID
import AppleIDTypes
import CommandIO

/// Checks the form of identifiers, and compares them.
struct IdentifierChecks {
    let settings: DoctorSettings

    func findings() -> [Finding] {
        var findings: [Finding] = []
        if let team = settings.team { findings.append(check(team: team.rawValue)) }
        if let key = settings.keyID { findings.append(check(key: key.rawValue)) }
        findings += settings.bundleIDs.map { check(client: $0.rawValue, "bundle id") }
        findings += settings.servicesIDs.map { check(client: $0.rawValue, "services id") }
        for both in settings.servicesIDs where settings.bundleIDs.contains(both) {
            findings.append(
                .failed(
                    "services id", "client_twice", "\(shown(both.rawValue)) is set as bundle id and as Services ID",
                    hint: "they are two entries of the portal with two identifiers, as com.example.juice and "
                        + "com.example.juice.web"))
        }
        return findings
    }

    private func check(team: String) -> Finding {
        if team == settings.keyID?.rawValue {
            return .failed(
                "team id", "team_id_is_key_id", "Team ID and Key ID are the same",
                hint: "the Team ID is on the portal's Membership page, the Key ID on the key's own")
        }
        return form(team, "team id", hint: "Account, Membership details, Team ID: \(PortalID.form)")
    }

    private func check(key: String) -> Finding {
        if let named = Self.keyID(ofFile: settings.keyFile), named != key {
            return .warned(
                "key id", "key_id_not_of_file", "it is \(shown(key)), and the key file's name says \(shown(named))",
                hint: "Apple names the file AuthKey_ and the Key ID; set \(NamedSetting.keyID.howToSet)")
        }
        return form(
            key, "key id", hint: "Certificates, Identifiers & Profiles, Keys, the key, Key ID: \(PortalID.form)")
    }

    /// The Key ID in the name that Apple gives to the file it hands out.
    static func keyID(ofFile path: String?) -> String? {
        guard let name = path?.split(separator: "/").last, name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else {
            return nil
        }
        let id = String(name.dropFirst("AuthKey_".count).dropLast(".p8".count))
        return PortalID.isWellFormed(id) ? id : nil
    }

    private func form(_ id: String, _ name: String, hint: String) -> Finding {
        guard !PortalID.isWellFormed(id) else { return .passed(name, shown(id)) }
        let code = name.replacing(" ", with: "_") + "_form"
        // An emulator's portal may use other forms.
        guard settings.server == .apple else {
            return .warned(name, code, "\(shown(id)) is none that Apple would give out", hint: hint)
        }
        return .failed(name, code, "\(shown(id)) is none that Apple gives out", hint: hint)
    }

    private func check(client: String, _ name: String) -> Finding {
        if let team = settings.team?.rawValue, !team.isEmpty, client.hasPrefix(team + ".") {
            return .failed(
                name, "client_has_team", "\(shown(client)) begins with the Team ID",
                hint: "leave out the Team ID and the dot")
        }
        let isBundleID = client.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isBundleID, client.contains(".") else {
            return .failed(
                name, "client_form", "\(shown(client)) is no identifier of the portal",
                hint: "letters, digits, hyphens and dots, no asterisk, upper and lower case as in the portal")
        }
        return .passed(name, shown(client))
    }

    private func shown(_ text: String) -> String { "`\(TextForPeople.quoted(text, limit: 80))`" }
}

/// Whether Apple can take the return URL at all, before anybody asks whether it is registered.
struct ReturnURLCheck {
    private static let name = "return url"

    let settings: DoctorSettings

    func findings() -> [Finding] {
        guard !settings.servicesIDs.isEmpty, let url = settings.returnURL else { return [] }
        guard settings.server == .apple else {
            return [.passed(Self.name, "\(url); the emulator says itself what it takes")]
        }
        if let objection = RedirectURI.objection(to: url) {
            return [
                .failed(
                    Self.name, "return_url_form", "\(url): \(objection)",
                    hint:
                        "Apple shows \"Invalid web redirect url.\" for it whatever is registered; give "
                        + "--public-url a domain name with https, or use siwa emulate for work on this machine")
            ]
        }
        return [.passed(Self.name, url)]
    }
}

/// Team IDs and Key IDs as Apple's portal gives them out.
enum PortalID {
    static let form = "ten capital letters and digits, as the portal shows them"

    static func isWellFormed(_ text: String) -> Bool {
        text.utf8.count == 10
            && text.utf8.allSatisfy {
                (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            }
    }
}
