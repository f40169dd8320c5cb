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
        "looks SPF and DKIM up, and fails where neither can pass",
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

    @Test("says what to type where no name server tells, and blames nobody")
    func unknown() async throws {
        let findings = try await findings([Self.domain: .status("SERVFAIL")], selector: "s1")
        #expect(findings.map(\.code) == ["mail_records_not_checked", "dkim_missing"])
        #expect(findings.areGood)
        #expect(findings[0].hints.map(\.text) == ["dig +short TXT mail.example.com"])
    }

    @Test("shows no record's control characters")
    func control() async throws {
        let findings = try await findings([Self.domain: .texts(["v=spf1 \u{1B}[2J\u{202E} -all"])], selector: nil)
        #expect(findings[0].outcome == .passed)
        #expect(!findings[0].text.unicodeScalars.contains { [0x1B, 0x202E].contains($0.value) })
    }

    @Test("says that the program for the look-up is missing, and blames nobody")
    func withoutProgram() async throws {
        var examined = try Examined()
        examined.settings.mailDomains = [Self.domain]
        let findings = try await examined.findings().filter { $0.name == "mail domain" }
        #expect(findings.map(\.code) == ["mail_records_not_checked", "dkim_not_checked"])
        #expect(findings.areGood)
        #expect(findings[0].explanation.contains("`dig` is not installed"))
        #expect(findings[0].hints.map(\.text) == ["dig +short TXT mail.example.com"])
    }

    private func findings(
        _ replies: [String: RecordedDig.Reply], selector: String?
    ) async throws -> [Finding] {
        try await RecordedDig.with(replies) { lookup in
            var examined = try Examined()
            examined.settings.mailDomains = [Self.domain]
            examined.settings.dkimSelector = selector
            examined.lookup = lookup
            return try await examined.findings().filter { $0.name == "mail domain" }
        }
    }
}
