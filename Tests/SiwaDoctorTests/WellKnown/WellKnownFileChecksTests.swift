import AppleIDTypes
import Foundation
import Testing
import WellKnownFiles

@testable import SiwaDoctor

@Suite("siwa doctor, about the files under /.well-known")
struct WellKnownFileChecksTests {
    /// 2026-11-25T00:00:00Z
    private static let now: Int64 = 1_795_564_800

    /// Settings of a team and an app.
    private static var settings: DoctorSettings {
        var settings = DoctorSettings()
        settings.publicURL = "https://accounts.example.com"
        settings.team = "ABCDE12345"
        settings.bundleIDs = ["com.example.juice"]
        return settings
    }

    /// Returns the findings about a file of this content.
    private func findings(
        _ file: WellKnownFile, _ text: String, settings: DoctorSettings = settings
    ) throws -> [Finding] {
        let path = FileManager.default.temporaryDirectory.appending(path: "siwa-test-\(UUID().uuidString)")
        try Data(text.utf8).write(to: path)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: path) } }
        var settings = settings
        settings.wellKnownFiles = [file: path.path]
        return WellKnownFileChecks(settings: settings, now: Self.now).findings()
    }

    @Test("finds nothing if no setting names a file")
    func none() {
        #expect(WellKnownFileChecks(settings: Self.settings, now: Self.now).findings().isEmpty)
    }

    struct Good: CustomTestStringConvertible, Sendable {
        let file: WellKnownFile
        let text: String
        let summary: String
        var testDescription: String { file.rawValue }
    }

    @Test(
        "sums up each file that is good",
        arguments: [
            Good(
                file: .appSiteAssociation,
                text: """
                    {"webcredentials": {"apps": ["ABCDE12345.com.example.juice"]}, "appclips": {"apps": \
                    ["ABCDE12345.com.example.juice.Clip"]}, "applinks": {"details": []}}
                    """,
                summary: "`ABCDE12345.com.example.juice` share passwords and passkeys; no apps open links; "
                    + "`ABCDE12345.com.example.juice.Clip` are app clips"),
            Good(
                file: .assetLinks,
                text: """
                    [{"relation": ["a/b"], "target": {"namespace": "web", "site": "https://example.com"}}, \
                    {"relation": ["a/c"], "target": {"namespace": "web", "site": "https://example.com"}}]
                    """,
                summary: "2 statements, about the site https://example.com"),
            Good(
                file: .domainAssociation, text: "7B22",
                summary: "4 bytes, served as they are; only Apple knows what they mean"
            ),
            Good(
                file: .securityText,
                text: """
                    Contact: mailto:security@example.com
                    Expires: 2027-11-01T00:00:00Z
                    Canonical: https://accounts.example.com/.well-known/security.txt
                    """,
                summary: "reports go to mailto:security@example.com; it expires 2027-11-01T00:00:00Z, in 341 days"),
        ])
    func good(_ good: Good) throws {
        let findings = try findings(good.file, good.text)
        #expect(findings.map(\.outcome) == [.passed])
        #expect(findings.first?.explanation == good.summary)
    }

    @Test("fails with a file that cannot be read, or whose form is wrong", arguments: WellKnownFile.allCases)
    func bad(file: WellKnownFile) throws {
        var settings = Self.settings
        settings.wellKnownFiles = [file: "/nowhere/file"]
        let unread = WellKnownFileChecks(settings: settings, now: Self.now).findings()
        #expect(unread.codes == ["well_known_file_unreadable"])
        #expect(unread.first?.explanation == "the file /nowhere/file cannot be read: No such file or directory")
        let found = try findings(file, "<html>")
        #expect(found.codes == ["well_known_file_malformed"] && found.count == 1)
        #expect(found.first?.hints.first?.text.contains("siwa serve does not start with this file") == true)
        let large = try findings(file, String(repeating: " ", count: WellKnownFile.maximumBytes + 1))
        #expect(large.first?.explanation.hasSuffix(": is larger than 131072 bytes") == true)
    }

    @Test(
        "compares the apps with Team ID and bundle ids",
        arguments: [
            (#"{"webcredentials": {"apps": ["OTHERTEAM1.com.example.juice"]}}"#, ["app_of_other_team"]),
            (#"{"webcredentials": {"apps": ["ABCDE12345.com.example.Juice"]}}"#, ["app_not_configured"]),
            (
                """
                {"webcredentials": {"apps": ["ABCDE12345.com.example.juice"]}, "applinks": {"details": \
                [{"appIDs": ["ABCDE12345.com.example.juice", "OTHERTEAM1.com.example.cider"]}]}}
                """, ["app_of_other_team", "app_not_configured"]
            ),
            (#"{"webcredentials": {"apps": []}}"#, ["no_web_credentials"]),
            (
                #"{"applinks": {"details": [{"appIDs": ["ABCDE12345.com.example.juice"]}]}}"#, ["no_web_credentials"]
            ),
            (
                """
                {"webcredentials": {"apps": ["ABCDE12345.com.example.juice"]}, "appclips": {"apps": \
                ["OTHERTEAM1.com.example.juice.Clip"]}}
                """, ["app_of_other_team"]
            ),
        ])
    func apps(text: String, codes: [String]) throws {
        let found = try findings(.appSiteAssociation, text)
        #expect(found.areGood)
        #expect(found.filter { $0.outcome == .warned }.compactMap(\.code) == codes)
    }

    @Test("compares no apps if no team and no bundle id are configured")
    func webAlone() throws {
        let text = #"{"applinks": {"details": [{"appIDs": ["OTHERTEAM1.com.example.cider"]}]}}"#
        #expect(try findings(.appSiteAssociation, text, settings: DoctorSettings()).map(\.outcome) == [.passed])
    }

    @Test("warns of a target that is not an Android app or a site")
    func namespace() throws {
        let text = #"[{"relation": ["a/b"], "target": {"namespace": "android-app"}}]"#
        let found = try findings(.assetLinks, text)
        #expect(found.map(\.outcome) == [.passed, .warned] && found.last?.code == "namespace_unknown")
        #expect(found.last?.explanation == "a target has the namespace `android-app`")
    }

    @Test(
        "warns before a security.txt expires",
        arguments: [
            ("2026-11-24T23:59:59Z", Finding.Outcome.failed, "security_txt_expired"),
            ("2026-11-25T00:00:00Z", .failed, "security_txt_expired"),
            ("2026-11-25T00:00:01Z", .warned, "security_txt_expires_soon"),
            ("2026-12-25T00:00:00Z", .warned, "security_txt_expires_soon"), ("2026-12-25T00:00:01Z", .passed, nil),
        ] as [(String, Finding.Outcome, String?)])
    func expiry(time: String, outcome: Finding.Outcome, code: String?) throws {
        let found = try findings(.securityText, "Contact: mailto:security@example.com\nExpires: \(time)\n")
        #expect(found.map(\.outcome) == [outcome] && found.first?.code == code)
    }

    @Test(
        "warns of a security.txt with unknown fields, or for another host",
        arguments: [
            ("Acknowledgements: x", "security_txt_field_unknown"),
            ("Canonical: https://example.com/.well-known/security.txt", "security_txt_elsewhere"),
        ])
    func fields(line: String, code: String) throws {
        let found = try findings(
            .securityText, "Contact: mailto:security@example.com\nExpires: 2027-11-01T00:00:00Z\n\(line)\n")
        #expect(found.areGood && found.filter { $0.outcome == .warned }.compactMap(\.code) == [code])
    }
}
