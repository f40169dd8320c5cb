/// What `invalid_client` can mean for a secret that is well made: all that Apple's word leaves open.
enum InvalidClientCause: String, CaseIterable, Sendable {
    case clientUnknown = "client_unknown"
    case keyIDWrong = "key_id_wrong"
    case keyFileOfAnotherKey = "key_file_of_another_key"
    case keyRevoked = "key_revoked"
    case teamWrong = "team_id_wrong"
    case keyOfAnotherGroup = "key_of_another_group"
    case clockWrong = "clock_wrong"

    /// What is known besides Apple's word.
    struct Evidence: Sendable {
        /// Whether the authorization endpoint knows the client, which it tells without any secret.
        var isClientKnown: Bool?
        /// Whether Apple takes the same key and team from another client.
        var isKeyAccepted = false
        /// Whether Apple refuses every one of several clients: then what they share is likelier than each being
        /// unknown.
        var areAllRefused = false
        /// Whether Apple's clock agrees with ours; nil when it could not be read.
        var isClockRight: Bool?
        /// Whether the key file's name says another Key ID, or the same.
        var isFileOfKeyID: Bool?
        var isTeamFormRight = true
        var isKeyIDFormRight = true
    }

    /// Those that the evidence leaves, the likeliest first; at least one.
    static func possible(_ evidence: Evidence) -> [Self] {
        if evidence.isClientKnown == false { return [.clientUnknown] }
        var causes = allCases
        func exclude(_ excluded: Self...) { causes.removeAll { excluded.contains($0) } }
        func prefer(_ cause: Self) {
            guard let index = causes.firstIndex(of: cause) else { return }
            causes.insert(causes.remove(at: index), at: 0)
        }
        func postpone(_ cause: Self) {
            guard let index = causes.firstIndex(of: cause) else { return }
            causes.append(causes.remove(at: index))
        }
        if evidence.isClientKnown == true { exclude(.clientUnknown) }
        if evidence.isClockRight == true { exclude(.clockWrong) }
        if evidence.isKeyAccepted {
            exclude(.keyIDWrong, .keyFileOfAnotherKey, .keyRevoked, .teamWrong, .clockWrong)
        } else {
            if evidence.isFileOfKeyID == false || !evidence.isKeyIDFormRight { prefer(.keyIDWrong) }
            if !evidence.isTeamFormRight { prefer(.teamWrong) }
            if evidence.isClockRight == false { prefer(.clockWrong) }
        }
        if evidence.isFileOfKeyID == true { postpone(.keyIDWrong) }
        if evidence.areAllRefused { postpone(.clientUnknown) }
        return causes
    }

    var hint: Finding.Hint {
        let text =
            switch self {
            case .clientUnknown:
                "look for exactly this identifier in the portal under Identifiers: an App ID for "
                    + "\(Setting.bundleID.name), a Services ID for \(Setting.servicesID.name)"
            case .keyIDWrong: "compare \(Setting.keyID.name) with the Key ID on the key's page in the portal"
            case .keyFileOfAnotherKey:
                "is \(Setting.privateKeyFile.name) the file of this very Key ID? Apple names it AuthKey_KEYID.p8"
            case .keyRevoked: "is the key still in the portal's list under Keys, with Sign in with Apple enabled?"
            case .teamWrong: "compare \(Setting.teamID.name) with the Team ID on the portal's Membership page"
            case .keyOfAnotherGroup:
                "a key serves one primary App ID and what is grouped with it: see Keys, the key, Edit, Sign in "
                    + "with Apple"
            case .clockWrong: "set this machine's clock, or an emulator's that was moved"
            }
        return Finding.Hint(cause: rawValue, text: text)
    }
}
