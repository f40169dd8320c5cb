import Testing
import WellKnownFiles

@Suite("An assetlinks.json")
struct AssetLinksTests {
    private static let fingerprint = (0..<32).map { _ in "A0" }.joined(separator: ":")

    /// A list with one statement about an app.
    private static func app(
        package: String = "com.example.juice", fingerprints: String = #"["\#(fingerprint)"]"#
    ) -> String {
        """
        [{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "android_app", \
        "package_name": "\(package)", "sha256_cert_fingerprints": \(fingerprints)}}]
        """
    }

    /// A list with one statement about a target.
    private static func target(_ members: String) -> String { #"[{"relation": ["a/b"], "target": \#(members)}]"# }

    @Test("says what each statement is about")
    func statements() throws {
        let text = """
            [\(Self.app().dropFirst().dropLast()), \
            {"relation": ["delegate_permission/common.get_login_creds"], \
            "target": {"namespace": "web", "site": "https://www.example.com:8443"}, "relation_extensions": {}}, \
            {"include": "https://example.com/links.json"}, {"relation": ["a/b"], "target": {"namespace": "new"}}]
            """
        #expect(
            try AssetLinks(Array(text.utf8)).statements == [
                .app(package: "com.example.juice"), .site("https://www.example.com:8443"),
                .include("https://example.com/links.json"), .other(namespace: "new"),
            ])
    }

    @Test("has package names as Android has them", arguments: ["com.example.juice", "a.b", "Com.Example_2.x1"])
    func packages(name: String) throws {
        #expect(try AssetLinks(Array(Self.app(package: name).utf8)).statements == [.app(package: name)])
    }

    @Test(
        "refuses other package names",
        arguments: [
            "", "juice", "com..juice", "com.1a", "com.example-juice", "com.example.juice.", "com.example.*", "_a.b",
        ])
    func noPackages(name: String) {
        Fault(Self.app(package: name), .malformed, at: "[0].target.package_name", "`\(name)` is no package name")
            .expect(of: .assetLinks)
    }

    @Test(
        "has fingerprints of 32 bytes, in capitals and with colons",
        arguments: [
            "", String(fingerprint.dropLast(3)), fingerprint + ":A0", fingerprint.lowercased(),
            fingerprint.replacing(":", with: ""), fingerprint.replacing(":", with: " "),
            String(fingerprint.dropFirst()), "G0" + fingerprint.dropFirst(2), "SHA256: " + fingerprint,
        ])
    func fingerprints(text: String) {
        Fault(
            Self.app(fingerprints: #"["\#(Self.fingerprint)", "\#(text)"]"#), .malformed,
            at: "[0].target.sha256_cert_fingerprints[1]", "is no SHA-256 fingerprint; write 32 bytes in capital"
        ).expect(of: .assetLinks)
    }

    @Test(
        "is refused with the member that is wrong",
        arguments: [
            Fault("{}", .wrongKind, "must be a list of statements"),
            Fault("[]", .missing, "has no statement"),
            Fault("[1]", .wrongKind, at: "[0]", "must be a statement"),
            Fault("[{}]", .missing, at: "[0]", "has no `relation`"),
            Fault(#"[{"relation": "a/b", "target": {}}]"#, .wrongKind, at: "[0].relation", "must be a list of texts"),
            Fault(#"[{"relation": [], "target": {}}]"#, .missing, at: "[0].relation", "is empty"),
            Fault(#"[{"relation": ["a"], "target": {}}]"#, .malformed, at: "[0].relation[0]", "`a` is no relation"),
            Fault(#"[{"relation": ["a/b/c"], "target": {}}]"#, .malformed, at: "[0].relation[0]", "is no relation"),
            Fault(#"[{"relation": ["a/b "], "target": {}}]"#, .malformed, at: "[0].relation[0]", "is no relation"),
            Fault(#"[{"relation": ["a/b"]}]"#, .missing, at: "[0]", "has no `target`"),
            Fault(target("[]"), .wrongKind, at: "[0].target", "must be an object"),
            Fault(target("{}"), .missing, at: "[0].target", "has no `namespace`"),
            Fault(target(#"{"namespace": "android_app"}"#), .missing, at: "[0].target", "has no `package_name`"),
            Fault(
                target(#"{"namespace": "android_app", "package_name": "a.b"}"#), .missing, at: "[0].target",
                "has no `sha256_cert_fingerprints`"),
            Fault(app(fingerprints: "[]"), .missing, at: "[0].target.sha256_cert_fingerprints", "is empty"),
            Fault(
                app(fingerprints: "\"\""), .wrongKind, at: "[0].target.sha256_cert_fingerprints",
                "must be a list of fingerprints"),
            Fault(target(#"{"namespace": "web"}"#), .missing, at: "[0].target", "has no `site`"),
            Fault(
                target(#"{"namespace": "web", "site": "https://a.example/path"}"#), .malformed, at: "[0].target.site",
                "is no root of a site"),
            Fault(
                target(#"{"namespace": "web", "site": "a.example"}"#), .malformed, at: "[0].target.site",
                "is no root of a site"),
            Fault(
                #"[{"include": "http://a.example/x"}]"#, .malformed, at: "[0].include", "is no https:// address"),
        ])
    func refused(fault: Fault) {
        fault.expect(of: .assetLinks)
    }
}
