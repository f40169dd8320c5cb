import AppleID

/// The domain that mail to relay addresses comes from, and the DNS records by which Apple tells whether it does.
struct MailDomain {
    private static let check = "mail domain"

    let name: String
    /// `s=` of the signatures that its mail server makes; nil when nobody said.
    var selector: String?

    static func isName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2 && labels.allSatisfy(isLabel)
    }

    /// RFC 6376 §3.1: labels as in a name, perhaps one alone.
    static func isSelector(_ text: String) -> Bool {
        text.utf8.count <= 100 && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }

    /// One finding about SPF and one about DKIM. Apple wants one of the two to pass: what is wrong with one of them
    /// fails when the other is known to be wrong as well, and is a warning otherwise.
    func findings(asking servers: NameServers) async -> [Finding] {
        async let spfAnswer = servers.texts(of: name)
        async let dkimAnswer = Self.texts(of: selectorName, asking: servers)
        let spf = MailRecord(spf: await spfAnswer)
        let dkim = await dkimAnswer.map { MailRecord(dkim: $0) }
        return [finding(spf, beside: dkim), dkim.map { finding($0, beside: spf) } ?? withoutSelector]
    }

    private static func texts(of name: String?, asking servers: NameServers) async -> TextAnswer? {
        guard let name else { return nil }
        return await servers.texts(of: name)
    }

    private var selectorName: String? { selector.map { "\($0)._domainkey.\(name)" } }

    private func finding(_ record: MailRecord, beside other: MailRecord?) -> Finding {
        let place = record.kind == .spf ? name : selectorName ?? name
        switch record.state {
        case .good(let explanation):
            var finding = Finding.passed(Self.check, "\(place): \(explanation)")
            finding.hints = [Finding.Hint(text: registration(record.kind))]
            return finding
        case .bad(let code, let explanation, let hint):
            guard let other, case .bad = other.state else {
                return .warned(Self.check, code, "\(place): \(explanation)", hint: hint)
            }
            return .failed(Self.check, code, "\(place): \(explanation)", hint: hint)
        case .unknown(let reason):
            return Finding(
                name: Self.check, outcome: .skipped, code: "mail_records_not_checked",
                explanation: "\(place): the record for \(record.kind.rawValue) could not be looked up: \(reason)",
                hints: [Finding.Hint(text: "dig +short TXT \(place)")])
        }
    }

    private var withoutSelector: Finding {
        Finding(
            name: Self.check, outcome: .skipped, code: "dkim_not_checked",
            explanation: "\(name): the record for DKIM has a name of your mail server's choosing",
            hints: [Finding.Hint(text: "give it as --dkim-selector: s= of DKIM-Signature in a mail of yours")])
    }

    /// What no record shows: the portal has to know the domain, too.
    private func registration(_ kind: MailRecord.Kind) -> String {
        switch kind {
        case .spf:
            "does it name your mail server? And is the domain of Return-Path, exactly, registered in the portal under "
                + "Services, Sign in with Apple for Email Communication?"
        case .dkim:
            "d= of DKIM-Signature must be the domain of From, and registered in the portal under Services, "
                + "Sign in with Apple for Email Communication"
        }
    }
}
