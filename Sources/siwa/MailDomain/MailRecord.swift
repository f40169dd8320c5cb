import Foundation

/// What a TXT record of a mail domain is good for.
struct MailRecord: Sendable {
    enum Kind: String, Sendable {
        case spf = "SPF"
        case dkim = "DKIM"
    }

    enum State: Sendable, Equatable {
        /// With what it is, for people.
        case good(String)
        case bad(code: String, explanation: String, hint: String)
        /// The name servers did not tell.
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

    private static func state(_ answer: TextAnswer, _ read: ([String]) -> State) -> State {
        switch answer {
        case .texts(let texts): read(texts)
        case .truncated: .unknown("the answer was cut off")
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
