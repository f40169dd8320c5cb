import AppleID

/// The domain that mail to relay addresses comes from.
///
/// Apple looks at DNS records, and nothing here can: the system's resolver gives addresses only. What is left is to say
/// what to ask by hand.
struct MailDomain {
    let name: String

    static func isName(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return text.utf8.count <= 253 && labels.count >= 2
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                    && label.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            }
    }

    var finding: Finding {
        Finding(
            name: "mail domain", outcome: .skipped, code: "mail_records_not_checked",
            explanation:
                "\(name): SPF and DKIM are DNS records, which this program does not look up; one of them must pass",
            hints: [
                "SPF: dig +short TXT \(name)   (one line begins with v=spf1 and names your mail server)",
                "DKIM: dig +short TXT SELECTOR._domainkey.\(name)   (SELECTOR is s= of DKIM-Signature in a mail of yours)",
                "register \(name) in the portal under Services, Sign in with Apple for Email Communication; for SPF the domain "
                    + "of Return-Path must be registered, for DKIM d= must be that of From",
            ].map { Finding.Hint(text: $0) })
    }
}
