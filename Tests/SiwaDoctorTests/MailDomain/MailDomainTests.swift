import Foundation
import Testing

@testable import SiwaDoctor

@Suite("siwa doctor --mail-domain")
struct MailDomainTests {
    private static let domain = "mail.example.com"
    private static let key = "v=DKIM1; k=rsa; p=MIGfMA0G CSqGSIb3"

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var spf: [String]
        var dkim: [String]?
        /// The codes of the findings that are not good, in order.
        let codes: [String]
        var isGood = true
    }

    @Test(
        "looks up SPF and DKIM, and fails if neither can pass",
        arguments: [
            Case(testDescription: "both", spf: ["x", "v=spf1 mx -all"], dkim: [key], codes: []),
            Case(testDescription: "SPF, in capitals", spf: ["V=SPF1 mx"], dkim: [key], codes: []),
            Case(testDescription: "no selector", spf: ["v=spf1 mx -all"], codes: ["dkim_not_checked"]),
            Case(testDescription: "DKIM alone", spf: ["v=spf10 mx"], dkim: ["x", key], codes: ["spf_missing"]),
            Case(testDescription: "SPF alone", spf: ["v=spf1 mx"], dkim: [], codes: ["dkim_missing"]),
            Case(
                testDescription: "neither", spf: [], dkim: [], codes: ["spf_missing", "dkim_missing"], isGood: false),
            Case(
                testDescription: "two of SPF", spf: ["v=spf1 mx", "v=spf1 a"], dkim: ["v=DKIM1; p="],
                codes: ["spf_twice", "dkim_revoked"], isGood: false),
            Case(
                testDescription: "SPF for nobody", spf: ["v=spf1 -all"], dkim: ["p=\"MIGf\""],
                codes: ["spf_permits_nobody", "dkim_malformed"], isGood: false),
            Case(
                testDescription: "another version of DKIM", spf: ["v=spf1 mx"], dkim: ["v=DKIM2; p=MIGf"],
                codes: ["dkim_missing"]),
        ])
    func records(_ example: Case) async throws {
        var replies = [Self.domain: RecordedDig.Reply.texts(example.spf)]
        if let dkim = example.dkim { replies["s1._domainkey.\(Self.domain)"] = .texts(dkim) }
        let findings = try await findings(replies, selector: example.dkim == nil ? nil : "s1")
        #expect(findings.compactMap(\.code) == example.codes)
        #expect(findings.areGood == example.isGood)
        #expect(findings.allSatisfy { $0.name == "mail domain" && !$0.hints.isEmpty })
    }

    @Test("says which command to run if no name server answers, and fails nothing")
    func unknown() async throws {
        let findings = try await findings([Self.domain: .status("SERVFAIL")], selector: "s1")
        #expect(findings.map(\.code) == ["mail_records_not_checked", "dkim_missing", nil])
        #expect(findings.areGood)
        #expect(findings[0].hints.map(\.text) == ["dig +short TXT mail.example.com"])
    }

    @Test("shows no control characters of a record")
    func control() async throws {
        let findings = try await findings([Self.domain: .texts(["v=spf1 \u{1B}[2J\u{202E} -all"])], selector: nil)
        #expect(findings[0].outcome == .passed)
        #expect(!findings[0].text.unicodeScalars.contains { [0x1B, 0x202E].contains($0.value) })
    }

    @Test("says that the look-up program is missing, and fails nothing")
    func withoutProgram() async throws {
        var examined = try Examined()
        examined.settings.mailDomains = [Self.domain]
        let findings = try await examined.findings().filter { $0.name == "mail domain" }
        #expect(
            findings.map(\.code) == ["mail_records_not_checked", "dkim_not_checked", "mail_records_not_checked"])
        #expect(findings.areGood)
        #expect(findings[0].explanation.contains("`resolvectl` is installed"))
        #expect(findings[0].hints.map(\.text) == ["dig +short TXT mail.example.com"])
    }

    @Test(
        "looks up DMARC at the domain and above it, and only warns",
        arguments: [
            (["_dmarc.mail.example.com": ["v=DMARC1; p=reject"], "_dmarc.example.com": ["x"]], nil),
            (["_dmarc.example.com": ["x", "v=DMARC1 ; p=none"]], nil),
            ([:], "dmarc_missing"), (["_dmarc.com": ["v=DMARC1; p=none"]], "dmarc_missing"),
            (["_dmarc.mail.example.com": ["v=DMARC1; p=none", "v=DMARC1; p=none"]], "dmarc_twice"),
            (["_dmarc.example.com": ["v=DMARC1; rua=mailto:a@b.example"]], "dmarc_malformed"),
        ] as [([String: [String]], String?)])
    func policies(records: [String: [String]], code: String?) async throws {
        var replies = records.mapValues { RecordedDig.Reply.texts($0) }
        replies[Self.domain] = .texts(["v=spf1 mx"])
        replies["_dmarc.example.com"] = replies["_dmarc.example.com"] ?? .status("NXDOMAIN")
        let findings = try await findings(replies, selector: nil)
        #expect(findings.count == 3 && findings.areGood)
        #expect(findings[2].code == code)
        #expect(findings[2].outcome == (code == nil ? .passed : .warned))
    }

    @Test(
        "says how the service's mail server answers, and what to register with Apple",
        arguments: [
            (MailServerAnswer.ready(isEncrypted: true, isSignedIn: true), nil, "with TLS, and takes user and password"),
            (.ready(isEncrypted: false, isSignedIn: false), nil, "without TLS, on this machine"),
            (.failed("certificate_wrong_host"), "mail_server_certificate_wrong_host", "is for another host"),
            (.failed("smtp_535_5.7.8"), "mail_server_authentication_failed", "user or password (smtp_535_5.7.8)"),
            (.failed("smtp_554"), "mail_server_refused", "it refuses (smtp_554)"),
        ] as [(MailServerAnswer, String?, String)])
    func server(_ answer: MailServerAnswer, code: String?, words: String) async throws {
        let records = [Self.domain: RecordedDig.Reply.texts(["v=spf1 mx"])]
        let findings = try await RecordedDig.with(records) { lookup in
            var examined = try Examined()
            examined.settings.mail = ExaminedMail(from: "news@\(Self.domain)", server: "mx.example.com:465") { answer }
            examined.lookup = lookup
            return try await examined.findings().filter { $0.name.contains("mail") }
        }
        #expect(findings.map(\.name) == ["mail server", "email source", "mail domain", "mail domain", "mail domain"])
        #expect(findings[0].code == code && findings.areGood == (code == nil))
        #expect(findings[0].explanation.contains(words))
        #expect(findings[1].outcome == .skipped)
        #expect(findings[1].hints[0].text.hasPrefix("register mail.example.com, or news@mail.example.com alone: "))
        #expect(findings[2].explanation.hasPrefix("mail.example.com: SPF is"))
    }

    @Test("looks up no record for a sender of this machine")
    func localSender() async throws {
        var examined = try Examined()
        examined.settings.mail = ExaminedMail(from: "siwa@localhost", server: "localhost:25") { .failed("timed_out") }
        let findings = try await examined.findings()
        #expect(findings.contains { $0.code == "mail_server_timed_out" })
        #expect(!findings.contains { $0.name == "mail domain" })
    }

    /// The domain above the example's has a policy, unless the replies say otherwise.
    private func findings(
        _ replies: [String: RecordedDig.Reply], selector: String?
    ) async throws -> [Finding] {
        let replies = ["_dmarc.example.com": .texts(["v=DMARC1; p=none"])].merging(replies) { $1 }
        return try await RecordedDig.with(replies) { lookup in
            var examined = try Examined()
            examined.settings.mailDomains = [Self.domain]
            examined.settings.dkimSelector = selector
            examined.lookup = lookup
            return try await examined.findings().filter { $0.name == "mail domain" }
        }
    }
}
