import AppleID
import AppleIDTypes
import CommandIO

/// The meaning of Apple's answers about one client (TN3107, and Apple's "ErrorResponse").
struct ClientDiagnosis {
    static let name = "client"

    let client: Doctor.ClientAnswers
    let evidence: InvalidClientCause.Evidence
    let questions: AppleQuestions

    func findings(returnURL: String?) -> [Finding] {
        var evidence = evidence
        let authorization = client.authorize.flatMap { answer in
            returnURL.map { Authorization(answer, client: client, returnURL: $0, questions: questions) }
        }
        evidence.isClientKnown = authorization?.isClientKnown
        return [Self.finding(for: client.token, client: client.id, evidence: evidence)]
            + (authorization.map { [$0.finding] } ?? [])
    }

    /// - Parameter name: of the check.
    static func finding(
        for answer: AppleAnswer, client: ClientID, evidence: InvalidClientCause.Evidence, name: String = name
    ) -> Finding {
        let shown = "`\(TextForPeople.quoted(client.rawValue, limit: 80))`"
        switch answer {
        case .good:
            return .passed(name, "Apple accepts \(shown), with its team and key")
        case .refused(.invalidClient, let words):
            let causes = InvalidClientCause.possible(evidence)
            return Finding(
                name: name, outcome: .failed, code: "invalid_client",
                explanation: "Apple does not accept \(shown): invalid_client\(Self.saying(words))",
                hints: causes.map(\.hint))
        case .refused(.unauthorizedClient, let words):
            return .failed(
                name, "unauthorized_client", "\(shown) may not ask for tokens\(Self.saying(words))",
                hint:
                    "enable the capability Sign in with Apple for the App ID, and for a Services ID name the "
                    + "primary App ID"
            )
        case .refused(let word, let words) where [.invalidGrant, .invalidScope, .unsupportedGrantType].contains(word):
            // The question has no code and no refresh token, so this answer is about the kind of question. Apple may
            // have looked at the client before, or not.
            return .warned(
                name, "client_not_told",
                "Apple's answer does not tell whether it accepts \(shown): \(word)\(Self.saying(words))",
                hint: "sign in once: Apple's answer to a good code tells")
        case .refused(let word, let words):
            return .failed(
                name, "unexpected_answer", "Apple answers \(word) for \(shown)\(Self.saying(words))",
                hint: "this says nothing about the settings; try again later, and look for news of Apple's")
        case .throttled:
            return .warned(
                name, "throttled", "Apple wants to be asked about \(shown) less often", hint: "try again later")
        case .none(let reason):
            return .failed(
                name, "no_answer", "Apple did not answer for \(shown): \(reason)",
                hint: "this says nothing about the settings; try again later")
        }
    }

    /// Returns Apple's undocumented words, for people.
    static func saying(_ words: String?) -> String { words.map { " (\($0))" } ?? "" }
}

extension ClientDiagnosis {
    /// The authorization endpoint's answer about a Services ID and its return URL. It doesn't depend on keys.
    struct Authorization {
        let finding: Finding
        /// Nil when the answer does not tell.
        let isClientKnown: Bool?

        init(
            _ answer: AppleAnswer, client: Doctor.ClientAnswers, returnURL: String, questions: AppleQuestions
        ) {
            let name = "return url"
            let shown = "`\(TextForPeople.quoted(client.id.rawValue, limit: 80))`"
            switch AuthorizationPage.read(answer, of: questions.server) {
            case .refused(.invalidClient, let words):
                isClientKnown = client.token.isClientAccepted ? nil : false
                finding =
                    client.token.isClientAccepted
                    ? .failed(
                        name, "not_a_services_id",
                        "\(shown) is Apple's, but no Services ID\(ClientDiagnosis.saying(words))",
                        hint: "a bundle id belongs into \(NamedSetting.bundleID.name); make a Services ID for the web")
                    : .failed(
                        name, "client_unknown", "Apple knows no Services ID \(shown)\(ClientDiagnosis.saying(words))",
                        hint: "Identifiers, Services IDs: compare the identifier, letter by letter")
            case .refused(.invalidRequest, let words), .refused(.unauthorizedClient, let words):
                isClientKnown = true
                finding = .failed(
                    name, "return_url_not_registered",
                    "\(returnURL) is not registered for \(shown)\(ClientDiagnosis.saying(words))",
                    hint:
                        "Identifiers, the Services ID, Sign in with Apple, Configure, Return URLs: add exactly "
                        + "this, with its domain; the exchange of a code wants the same URL, or Apple answers "
                        + "invalid_grant")
            case .good:
                isClientKnown = true
                finding = .passed(name, "Apple begins a sign-in for \(shown) that returns to \(returnURL)")
            default:
                isClientKnown = nil
                finding = .skipped(
                    name, "Apple's answer for \(shown) does not tell whether \(returnURL) is registered",
                    hint: "open in a browser: "
                        + questions.authorizationURL(client: client.id, returnURL: returnURL))
            }
        }
    }
}

/// The possible causes of `invalid_client` for a secret that is well made: all that Apple's word leaves open.
enum InvalidClientCause: String, CaseIterable, Sendable {
    case clientUnknown = "client_unknown"
    case keyIDWrong = "key_id_wrong"
    case keyFileOfAnotherKey = "key_file_of_another_key"
    case keyRevoked = "key_revoked"
    case teamWrong = "team_id_wrong"
    case keyOfAnotherGroup = "key_of_another_group"
    case clockWrong = "clock_wrong"

    /// The facts that are known besides Apple's word.
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

    /// Returns the causes that the evidence leaves, the likeliest first; at least one.
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
                    + "\(NamedSetting.bundleID.name), a Services ID for \(NamedSetting.servicesID.name)"
            case .keyIDWrong: "compare \(NamedSetting.keyID.name) with the Key ID on the key's page in the portal"
            case .keyFileOfAnotherKey:
                "is \(NamedSetting.privateKeyFile.name) the file of this very Key ID? Apple names it AuthKey_KEYID.p8"
            case .keyRevoked: "is the key still in the portal's list under Keys, with Sign in with Apple enabled?"
            case .teamWrong: "compare \(NamedSetting.teamID.name) with the Team ID on the portal's Membership page"
            case .keyOfAnotherGroup:
                "a key serves one primary App ID and what is grouped with it: see Keys, the key, Edit, Sign in "
                    + "with Apple"
            case .clockWrong: "set this machine's clock, or an emulator's that was moved"
            }
        return Finding.Hint(cause: rawValue, text: text)
    }
}
