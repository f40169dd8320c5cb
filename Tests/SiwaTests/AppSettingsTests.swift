import Crypto
import Foundation
import Testing

@Suite("Apps in the settings of siwa serve")
struct AppSettingsTests {
    private func check(
        _ file: String? = nil, _ arguments: [String] = [], environment: [String: String] = [:]
    ) throws -> Transcript.Result {
        let settings = [
            "SIWA_PUBLIC_URL": "https://accounts.example.com",
            "SIWA_KEY_RING": "k1:" + Data(repeating: 1, count: 32).base64EncodedString(),
            "SIWA_TEAM_ID": "ABCDE12345", "SIWA_KEY_ID": "FGHIJ67890", "SIWA_BUNDLE_ID": "com.example.juice",
            "SIWA_SERVICES_ID": "com.example.juice.web,com.example.cider.web",
            "SIWA_PRIVATE_KEY": P256.Signing.PrivateKey().pemRepresentation,
        ].merging(environment) { $1 }
        guard let file else {
            return try Transcript.run(["serve", "--check"] + arguments, environment: settings)
        }
        let url = FileManager.default.temporaryDirectory.appending(path: "siwa-apps-\(UUID().uuidString).json")
        try Data(file.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try Transcript.run(["serve", "--check", "--config", url.path] + arguments, environment: settings)
    }

    @Test(
        "One word is enough, and every property can be set",
        arguments: [
            #"{"apps": {"juice": {}}}"#, #"{"apps": {}}"#, #"{"app": ["juice", "cider"]}"#,
            #"{"app": "juice", "apps": {"juice": {"name": "Juice"}}}"#,
            """
            {"apps": {"juice": {
              "name": "Juice", "bundle-ids": ["com.example.juice"], "services-id": "com.example.cider.web",
              "return-targets": ["loopback", "https://juice.example.com/signed-in", "com.example.juice:/signed-in"],
              "hand-through": true
            }, "com.example.cider_2": {"return-targets": []}}}
            """,
        ])
    func good(file: String) throws {
        let result = try check(file)
        #expect(result.status == 0, "\(result.complaints)")
    }

    @Test("A flag and the environment name apps too")
    func names() throws {
        #expect(try check(nil, ["--app", "juice"]).status == 0)
        #expect(try check(nil, ["--app", "no juice"]).complaints.hasPrefix("error: apps.no juice: "))
        #expect(
            try check(environment: ["SIWA_APP": "juice, no/juice"]).complaints.hasPrefix("error: apps.no/juice: "))
    }

    @Test(
        "A wrong setting is reported with its place, and nothing else is",
        arguments: [
            (#"{"apps": {"juice": {"name": 7}}}"#, "apps.juice.name: must be a text"),
            (#"{"apps": {"juice": {"hand-through": "yes"}}}"#, "apps.juice.hand-through: must be true or false"),
            (
                #"{"apps": {"juice": {"bundle-ids": ["a.b"]}}}"#,
                "apps.juice.bundle-ids: a.b is not among the bundle ids"
            ),
            (#"{"apps": {"juice": {"services-id": "a.b"}}}"#, "apps.juice.services-id: a.b is not among the Services"),
            (
                #"{"apps": {"juice": {"return-targets": ["http://a.b/"]}}}"#,
                "apps.juice.return-targets: the return target `http://a.b/` needs https"
            ),
            (
                #"{"apps": {"juice": {"return-targets": ["localhost"]}}}"#,
                "apps.juice.return-targets: the return target `localhost` "
            ),
            (
                #"{"apps": {"juice": {"return-target": []}}}"#,
                "apps.juice: `return-target` is not a setting of an app; did you mean `return-targets`?"
            ),
            (#"{"apps": {"": {}}}"#, "apps.: an app's id has"),
            (#"{"apps": {"jü": {}}}"#, "apps.jü: an app's id has"),
            (#"{"apps": []}"#, "apps: must be an object"), (#"{"apps": {"juice": "x"}}"#, "apps: must be an object"),
            (#"{"apps": {"juice": {}, "juice": {}}}"#, "the settings file"), ("[]", "the settings file"),
            (#"{"apps": {"juice": {"return-targets": [1]}}}"#, "apps.juice.return-targets: must be a list of texts"),
            (#"{"apps": {"juice": {"return-targets": 1}}}"#, "apps.juice.return-targets: must be a list of texts"),
            (
                #"{"apps": {"juice": {"return-targets": ["loopback", 1]}}}"#,
                "apps.juice.return-targets: must be a list of texts"
            ),
            (#"{"apps": {"juice": {"return-targets": null}}}"#, "apps.juice.return-targets: must be a list of texts"),
            (#"{"apps": {"juice": {"bundle-ids": [{}]}}}"#, "apps.juice.bundle-ids: must be a list of texts"),
            (#"{"apps": {"juice": {"services-id": ["x"]}}}"#, "apps.juice.services-id: must be a text"),
            (#"{"apps": {"juice": {"hand-through": 1}}}"#, "apps.juice.hand-through: must be true or false"),
            (#"{"apps": {"juice": {"name": null}}}"#, "apps.juice.name: must be a text"),
            (
                #"{"apps": {"juice": {"return-targets": ["https://:80/x"]}}}"#,
                "apps.juice.return-targets: the return target `https://:80/x` has no host"
            ),
            (
                #"{"trusted-proxies": ["10.0.0.7"]}"#,
                "config: `trusted-proxies` is not a setting; did you mean `trusted-proxy`?"
            ),
            (#"{"teamid": "x"}"#, "config: `teamid` is not a setting; did you mean `team-id`?"),
            (#"{"weather": "x"}"#, "config: `weather` is not a setting; `siwa serve --help` lists them"),
            (
                #"{"apps": {"juice": {"weather": 1}}}"#,
                "apps.juice: `weather` is not a setting of an app; an app has name"
            ),
            (#"{"trusted-proxy": [10]}"#, "trusted-proxy: must be a list of texts"),
            (#"{"bundle-id": 7}"#, "bundle-id: must be a list of texts"),
            (#"{"public-url": {"a": 1}}"#, "public-url: must be a text"),
            (#"{"port": "80"}"#, "port: must be a port number"),
            (#"{"trusted-proxy": ["10.0.0.0/8", "proxy"]}"#, "trusted-proxy: proxy is no IP address"),
        ])
    func wrong(file: String, problem: String) throws {
        let result = try check(file)
        #expect(result.status == 2)
        #expect(result.complaints.hasPrefix("error: \(problem)"), "\(result.complaints)")
        #expect(result.complaints.split(separator: "error:").count == 1, "\(result.complaints)")
    }

    @Test("Without a provider for browsers an app needs a Services ID, with which the browser asks Apple")
    func servicesID() throws {
        let none = ["SIWA_SERVICES_ID": ""]
        let result = try check(nil, ["--app", "juice"], environment: none)
        #expect(result.status == 2)
        #expect(result.complaints.hasPrefix("error: services-id: is missing: app juice "))
        // Without a secret only apps sign in with the provider.
        let inApps = #"{"app": "juice", "providers": {"google": {"client-id": "a"}}}"#
        #expect(
            try check(inApps, environment: none).complaints.hasPrefix("error: services-id: is missing: app juice "))
    }

    @Test(
        "If all people may share one address, a warning says so, and nothing is refused",
        arguments: [
            (#"{"apps": {"juice": {}}}"#, "https://accounts.example.com", true),
            (#"{"app": "juice"}"#, "https://accounts.example.com", true),
            (#"{"app": "juice", "trusted-proxy": "10.0.0.7"}"#, "https://accounts.example.com", false),
            ("{}", "https://accounts.example.com", true),
            (#"{"trusted-proxy": "10.0.0.7"}"#, "https://accounts.example.com", false),
            (#"{"app": "juice"}"#, "http://localhost:4000", false),
            (#"{"app": "juice"}"#, "https://localhost", false),
        ])
    func untrustedProxy(file: String, publicURL: String, isWarned: Bool) throws {
        let result = try check(file, environment: ["SIWA_PUBLIC_URL": publicURL])
        #expect(result.status == 0 && result.output == "The settings are good.\n")
        #expect(result.complaints.hasPrefix("warning: trusted-proxy: no proxy is trusted") == isWarned)
        #expect(result.complaints.isEmpty == !isWarned, "\(result.complaints)")
    }

    @Test("All mistakes are reported at once")
    func all() throws {
        let file = """
            {"apps": {
              "juice": {"return-targets": ["http://localhost:8080/", "juice:"], "services-id": "com.example.other.web"},
              "no juice": {"nmae": "Juice", "hand-through": 1}
            }, "trusted-proxies": ["10.0.0.7"], "port": null}
            """
        try Transcript.expect("serve-check-apps", try check(file))
    }
}
