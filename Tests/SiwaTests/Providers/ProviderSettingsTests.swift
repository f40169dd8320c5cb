import Crypto
import Foundation
import Testing

@testable import siwa

@Suite("Providers in the settings of siwa serve")
struct ProviderSettingsTests {
    /// Checks a settings file. `SECRET` and `KEY` in it stand for files with a secret and with a private key.
    private func check(_ file: String) throws -> Transcript.Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-providers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (secret, key) = (folder.appending(path: "secret"), folder.appending(path: "key"))
        try Data("a client secret\n".utf8).write(to: secret)
        try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).write(to: key)
        let config = folder.appending(path: "config.json")
        try Data(file.replacing("SECRET", with: secret.path).replacing("KEY", with: key.path).utf8).write(to: config)
        return try Transcript.run(
            ["serve", "--check", "--config", config.path],
            environment: [
                "SIWA_PUBLIC_URL": "https://accounts.example.com",
                "SIWA_KEY_RING": "k1:" + Data(repeating: 1, count: 32).base64EncodedString(),
                "SIWA_TEAM_ID": "ABCDE12345", "SIWA_KEY_ID": "FGHIJ67890", "SIWA_BUNDLE_ID": "com.example.juice",
                "SIWA_PRIVATE_KEY": P256.Signing.PrivateKey().pemRepresentation,
            ])
    }

    @Test(
        "The known providers need few settings, and others need an issuer",
        arguments: [
            #"{"providers": {}}"#,
            #"{"providers": {"google": {"client-id": "a"}, "facebook": {"client-id": "1"}}}"#,
            #"{"providers": {"google": {"client-id": "a", "client-secret-file": "SECRET", "hosted-domain": "a.com"}}}"#,
            """
            {"providers": {"microsoft": {
              "client-id": "a", "private-key-file": "KEY", "key-id": "k", "accounts": "organizations",
              "accepted-tenants": ["9188040d-6c67-4c5b-b112-36a304b66dad"]
            }}}
            """,
            """
            {"providers": {"own": {
              "issuer": "https://id.example.com", "client-id": "a", "private-key-file": "KEY", "key-id": "k",
              "assertion-audience": "token-endpoint"
            }}}
            """,
            """
            {"providers": {"keycloak": {
              "issuer": "https://id.example.com/realms/staff", "client-id": "siwa", "client-secret-file": "SECRET",
              "scopes": ["email"], "name": "Staff", "mark": "google", "app-client-ids": ["app"]
            }}}
            """,
        ])
    func good(file: String) throws {
        let result = try check(file)
        #expect(result.status == 0, "\(result.complaints)")
    }

    @Test(
        "If people sign in with a provider in browsers, an app needs no Services ID",
        arguments: [
            "{}", #"{"name": "Juice"}"#, #"{"return-targets": []}"#,
            #"{"return-targets": ["https://juice.example.com/signed-in"]}"#,
        ])
    func app(settings: String) throws {
        let google = #"{"google": {"client-id": "a", "client-secret-file": "SECRET"}}"#
        let result = try check(#"{"apps": {"juice": \#(settings)}, "providers": \#(google)}"#)
        #expect(result.status == 0, "\(result.complaints)")
    }

    @Test("A reload finds a provider that has changed, also by the content of a file or by the order of the buttons")
    func changes() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-providers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (secret, config) = (folder.appending(path: "secret"), folder.appending(path: "config.json"))
        func read(_ providers: String, secret content: String = "one") async throws -> SettingsSnapshot {
            try Data(content.utf8).write(to: secret)
            try Data(#"{"providers": \#(providers)}"#.replacing("SECRET", with: secret.path).utf8).write(to: config)
            let file = try SettingsFile(path: config.path)
            return SettingsSnapshot(
                try await SettingsSources().reader(file: config.path), providers: file.providers)
        }
        let google = #""google": {"client-id": "a", "client-secret-file": "SECRET", "app-client-ids": ["b"]}"#
        let own = #""own": {"private-key-file": "SECRET"}"#
        let former = "{\(google), \(own)}"
        let before = try await read(former)
        let same = try await read(former)
        #expect(same.changes(since: before).isEmpty)
        let later: [String] = [
            "{\(google)}", "{\(own), \(google)}", "{}", former.replacing(#""a""#, with: #""c""#),
            former.replacing(#"["b"]"#, with: #"["b", "c"]"#),
            former.replacing(#""own": {"#, with: #""own": {"no-authentication-time": true, "#),
        ]
        for providers in later {
            let after = try await read(providers)
            #expect(after.changes(since: before) == [.providers], "\(providers)")
        }
        let withOtherSecret = try await read(former, secret: "two")
        #expect(withOtherSecret.changes(since: before) == [.providers])
    }

    @Test(
        "What is wrong with an app beside a provider is reported, and nothing else is",
        arguments: [
            (
                #"{"services-id": "a.b"}"#, "SECRET",
                "apps.juice.services-id: a.b is not among the Services IDs of the service"
            ),
            (#"{"bundle-ids": []}"#, "SECRET", "apps.juice.bundle-ids: is empty"),
            ("{}", "/nowhere", "providers.google.client-secret-file: "),
        ])
    func wrongApp(settings: String, secret: String, problem: String) throws {
        let google = #"{"google": {"client-id": "a", "client-secret-file": "\#(secret)"}}"#
        let result = try check(#"{"apps": {"juice": \#(settings)}, "providers": \#(google)}"#)
        #expect(result.status == 2)
        #expect(result.complaints.hasPrefix("error: \(problem)"), "\(result.complaints)")
        #expect(result.complaints.split(separator: "error:").count == 1, "\(result.complaints)")
    }

    @Test(
        "A wrong setting is reported with its place",
        arguments: [
            (#"{"google": {}}"#, "providers.google.client-id: is missing"),
            (#"{"own": {"client-id": "a"}}"#, "providers.own.issuer: is missing"),
            (#"{"own": {"client-id": "a", "issuer": "http://a.example"}}"#, "providers.own: the issuer"),
            (#"{"Own": {"client-id": "a", "issuer": "https://a.example"}}"#, "providers.Own: the id of a provider"),
            (#"{"link": {"client-id": "a", "issuer": "https://a.example"}}"#, "providers.link: the service uses"),
            (#"{"google": {"client-id": 7}}"#, "providers.google.client-id: must be a text"),
            (#"{"google": {"client-id": "a", "issuer": "https://a.b"}}"#, "providers.google.issuer: is known"),
            (#"{"google": {"client-id": "a", "accounts": "all"}}"#, "providers.google.accounts: is for microsoft"),
            (
                #"{"google": {"client-id": "a", "client-secret-file": "/nowhere"}}"#,
                "providers.google.client-secret-file: "
            ),
            (
                #"{"facebook": {"client-id": "1", "client-secret-file": "SECRET"}}"#,
                "providers.facebook.client-secret-file: is for browsers"
            ),
            (
                #"{"own": {"client-id": "a", "issuer": "https://a.example", "private-key-file": "KEY"}}"#,
                "providers.own.key-id: is missing"
            ),
            (
                #"{"own": {"client-id": "a", "isuer": "https://a.example"}}"#,
                "providers.own: `isuer` is not a setting of a provider; did you mean `issuer`?"
            ),
            (#"{"microsoft": {"client-id": "a", "accounts": "some"}}"#, "providers.microsoft: the identifier"),
            (#"{"google": {"client-id": "a", "mark": "google"}}"#, "providers.google.mark: is known"),
            (
                #"{"own": {"client-id": "a", "issuer": "https://a.example", "mark": "own"}}"#,
                "providers.own.mark: is one of facebook, google, microsoft"
            ),
            (
                #"{"own": {"client-id": "a", "issuer": "https://a.example", "assertion-audience": "me"}}"#,
                "providers.own.assertion-audience: is issuer or token-endpoint"
            ),
            (
                """
                {"own": {"client-id": "a", "issuer": "https://a.example"},
                 "twin": {"client-id": "b", "issuer": "https://a.example"}}
                """, "providers: the providers own and twin have the same issuer"
            ),
            (#"[]"#, "providers: must be an object"),
        ])
    func bad(providers: String, complaint: String) throws {
        let result = try check(#"{"providers": \#(providers)}"#)
        #expect(result.status == 2)
        #expect(result.complaints.contains("error: \(complaint)"), "\(result.complaints)")
        #expect(!result.complaints.contains("a client secret"))
    }
}
