import AppleID
import CommandIO
import Foundation

/// The domain that mail to relay addresses comes from, and the DNS records with which Apple verifies that.
package struct MailDomain {
    private static let check = "mail domain"

    let name: String
    /// The selector (`s=`) of the mail server's signatures; nil if it wasn't given.
    var selector: String?

    package static func isName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2 && labels.allSatisfy(isLabel)
    }

    /// RFC 6376 §3.1: labels as in a name, perhaps one alone.
    package static func isSelector(_ text: String) -> Bool {
        text.utf8.count <= 100 && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
            && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }

    /// One finding about SPF, one about DKIM and one about DMARC. Apple wants one of SPF and DKIM to pass: what is wrong
    /// with one of them fails when the other is known to be wrong as well, and is a warning otherwise. Nothing about
    /// DMARC fails, because the relay does without it.
    func findings(asking lookup: TextLookup) async -> [Finding] {
        async let spfAnswer = lookup.texts(of: name)
        async let dkimAnswer = Self.texts(of: selectorName, asking: lookup)
        async let policy = policy(asking: lookup)
        let spf = MailDomainRecord(spf: await spfAnswer)
        let dkim = await dkimAnswer.map { MailDomainRecord(dkim: $0) }
        let dmarc = await policy
        return [
            finding(spf, beside: dkim), dkim.map { finding($0, beside: spf) } ?? withoutSelector,
            finding(dmarc.record, at: dmarc.name, beside: nil),
        ]
    }

    /// Looks for the policy of DMARC: at the name itself, and then at each name above it. A public suffix, such as `com`,
    /// has none that counts, and the last two labels are never less than one.
    private func policy(asking lookup: TextLookup) async -> (name: String, record: MailDomainRecord) {
        var labels = name.split(separator: ".")
        var own: MailDomainRecord?
        while labels.count >= 2 {
            let place = "_dmarc.\(labels.joined(separator: "."))"
            let record = MailDomainRecord(dmarc: await lookup.texts(of: place))
            if case .bad("dmarc_missing", _, _) = record.state {
                own = own ?? record
                // A long name asks no more often than a short one.
                labels = Array(labels.dropFirst(max(1, labels.count - 4)))
            } else {
                return (place, record)
            }
        }
        return ("_dmarc.\(name)", own ?? MailDomainRecord(dmarc: .texts([])))
    }

    private static func texts(of name: String?, asking lookup: TextLookup) async -> TextAnswer? {
        guard let name else { return nil }
        return await lookup.texts(of: name)
    }

    private var selectorName: String? { selector.map { "\($0)._domainkey.\(name)" } }

    private func finding(_ record: MailDomainRecord, beside other: MailDomainRecord?) -> Finding {
        finding(record, at: record.kind == .spf ? name : selectorName ?? name, beside: other)
    }

    private func finding(_ record: MailDomainRecord, at place: String, beside other: MailDomainRecord?) -> Finding {
        switch record.state {
        case .good(let explanation):
            var finding = Finding.passed(Self.check, "\(place): \(explanation)")
            finding.hints = [Finding.Hint(text: advice(record.kind))]
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

    /// Returns the hint that the portal has to know the domain too, which no record shows.
    private func advice(_ kind: MailDomainRecord.Kind) -> String {
        switch kind {
        case .spf:
            "does it name your mail server? And is the domain of Return-Path, exactly, registered in the portal under "
                + "Services, Sign in with Apple for Email Communication?"
        case .dkim:
            "d= of DKIM-Signature must be the domain of From, and registered in the portal under Services, "
                + "Sign in with Apple for Email Communication"
        case .dmarc:
            "it passes where SPF or DKIM passes for the domain of From, which is what receivers other than Apple want"
        }
    }
}

/// A TXT record of a mail domain for SPF, DKIM or DMARC, and whether it is good.
struct MailDomainRecord: Sendable {
    enum Kind: String, Sendable {
        case spf = "SPF"
        case dkim = "DKIM"
        case dmarc = "DMARC"
    }

    enum State: Sendable, Equatable {
        /// The record is good. The text says what it is, for people.
        case good(String)
        case bad(code: String, explanation: String, hint: String)
        /// The record could not be looked up.
        case unknown(String)
    }

    let kind: Kind
    let state: State

    /// The record of the domain itself. One and only one begins with the version (RFC 7208 §3.2, §4.5).
    init(spf answer: TextAnswer) {
        kind = .spf
        state = Self.state(answer) { texts in
            let records = texts.map(Self.words).filter { $0.first?.lowercased() == "v=spf1" }
            guard let record = records.first else {
                return .bad(
                    code: "spf_missing", explanation: "there is no record for SPF",
                    hint: "a TXT record such as \"v=spf1 include:your-mail-server.example -all\"")
            }
            guard records.count == 1 else {
                return .bad(
                    code: "spf_twice",
                    explanation: "there are \(records.count) records for SPF, so none of them counts",
                    hint: "make one of them")
            }
            guard record.dropFirst().contains(where: { !["-all", "~all", "?all"].contains($0.lowercased()) }) else {
                return .bad(
                    code: "spf_permits_nobody", explanation: "the record for SPF names no mail server",
                    hint: "name yours in it, before the last word")
            }
            return .good("SPF is `\(TextForPeople.quoted(record.joined(separator: " ")))`")
        }
    }

    /// The record of a selector: tags, among them the key (RFC 6376 §3.6.1).
    init(dkim answer: TextAnswer) {
        kind = .dkim
        state = Self.state(answer) { texts in
            // Other records may stand beside it; more than one key is for the mail server's owner to mend.
            let candidates = texts.map(Self.tags).filter { $0["p"] != nil && $0["v", default: "DKIM1"] == "DKIM1" }
            guard let tags = candidates.first, let key = tags["p"] else {
                return .bad(
                    code: "dkim_missing", explanation: "there is no record for DKIM",
                    hint: "is the selector right? It is s= of DKIM-Signature in a mail of yours")
            }
            guard !key.isEmpty else {
                return .bad(
                    code: "dkim_revoked", explanation: "the key for DKIM has been revoked: p= is empty",
                    hint: "sign with a key whose record is there")
            }
            guard Data(base64Encoded: key) != nil else {
                return .bad(
                    code: "dkim_malformed", explanation: "the key for DKIM is not base64",
                    hint: "p= holds the public key whole; was it cut off, or put in quotes?")
            }
            return .good("DKIM has a key, \(TextForPeople.quoted(tags["k"] ?? "rsa", limit: 20))")
        }
    }

    /// The record below `_dmarc`. One and only one begins with the version (RFC 7489 §6.6.3).
    init(dmarc answer: TextAnswer) {
        kind = .dmarc
        state = Self.state(answer) { texts in
            let records = texts.filter { text in
                text.split(separator: ";").first?.filter { !$0.isWhitespace } == "v=DMARC1"
            }
            guard let record = records.first else {
                return .bad(
                    code: "dmarc_missing", explanation: "there is no record for DMARC, which large receivers want",
                    hint: "a TXT record such as \"v=DMARC1; p=none; rua=mailto:postmaster@your-domain.example\"")
            }
            guard records.count == 1 else {
                return .bad(
                    code: "dmarc_twice",
                    explanation: "there are \(records.count) records for DMARC, so none of them counts",
                    hint: "make one of them")
            }
            guard let policy = Self.tags(record)["p"], ["none", "quarantine", "reject"].contains(policy) else {
                return .bad(
                    code: "dmarc_malformed", explanation: "the record for DMARC has no policy",
                    hint: "p= is none, quarantine or reject")
            }
            return .good("DMARC has the policy \(policy)")
        }
    }

    private static func state(_ answer: TextAnswer, _ read: ([String]) -> State) -> State {
        switch answer {
        case .texts(let texts): read(texts)
        case .failed(let reason): .unknown(reason)
        }
    }

    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

    /// White space counts neither around a tag nor within a key.
    private static func tags(_ text: String) -> [String: String] {
        let pairs = text.split(separator: ";").compactMap { tag -> (String, String)? in
            let parts = tag.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return (
                parts[0].trimmingCharacters(in: .whitespaces), parts[1].filter { !$0.isWhitespace }.description
            )
        }
        return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
}
