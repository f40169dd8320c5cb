import Foundation
import Testing
import WellKnownFiles

@testable import siwa

@Suite("The settings that name files under /.well-known")
struct WellKnownFileSettingsTests {
    @Test("accept valid files, given as flags, in the environment or in the settings file")
    func good() async throws {
        try await OperatorFolder.with { files in
            let environment = try files.environment()
            let config = files.folder.appending(path: "siwa.json")
            let members = WellKnownFile.allCases.map { (name: $0.setting.name, path: files.path($0)) }
            try JSONEncoder().encode(Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.path) }))
                .write(to: config)
            for (arguments, environment) in [
                ([], environment), (members.flatMap { ["--\($0.name)", $0.path] }, try ServeSettingsTests.good()),
                (["--config", config.path], try ServeSettingsTests.good()),
            ] {
                let result = try Transcript.run(["serve", "--check"] + arguments, environment: environment)
                #expect(result.status == 0, "\(result.complaints)")
                // They are read and not only named.
                try files.write("", to: .assetLinks)
                let bad = try Transcript.run(["serve", "--check"] + arguments, environment: environment)
                #expect(
                    bad.complaints.hasPrefix("error: assetlinks-file: the file \(files.path(.assetLinks)): is empty"))
                try files.write(#"[{"include": "https://example.com/links.json"}]"#, to: .assetLinks)
            }
        }
    }

    @Test("keep the server from starting with a bad file, and name file, member and what to write")
    func bad() async throws {
        try await OperatorFolder.with { files in
            for (file, text, words) in [
                (
                    WellKnownFile.appSiteAssociation, #"{"webcredentials": {"apps": ["com.example.juice"]}}"#,
                    "webcredentials.apps[0]: `com.example.juice` is no app id; write the Team ID, a dot and the bundle "
                        + "id, as in ABCDE12345.com.example.juice"
                ),
                (.assetLinks, "{}", "must be a list of statements"),
                (.domainAssociation, "<html>", "is a web page; download the file again"),
                (.securityText, "Expires: 9999-12-31T00:00:00Z\n", "has no field Contact"),
            ] {
                try files.write(text, to: file)
                for command in [["serve", "--check"], ["serve"]] {
                    let result = try Transcript.run(command, environment: try files.environment())
                    #expect(result.status == 2)
                    let place = "error: \(file.setting.name): the file \(files.path(file)): \(words)"
                    #expect(result.complaints.contains(place), "\(result.complaints)")
                    #expect(result.complaints.contains("set --\(file.setting.name), \(file.setting.variable) or"))
                }
                let demo = try Transcript.run(["demo", "--\(file.setting.name)", files.path(file)])
                #expect(demo.status == 2)
                #expect(
                    demo.complaints.hasPrefix("error: \(file.setting.name): the file \(files.path(file)): \(words)"))
            }
            let all = try Transcript.run(["serve", "--check"], environment: try files.environment())
            #expect(all.complaints.components(separatedBy: "error: ").count == 5, "each is named at once")
        }
    }

    @Test("name a file that cannot be read, with the system's reason", arguments: WellKnownFile.allCases)
    func unreadable(file: WellKnownFile) throws {
        var environment = try ServeSettingsTests.good()
        environment[file.setting.variable] = "/nowhere/file"
        let result = try Transcript.run(["serve", "--check"], environment: environment)
        #expect(result.status == 2)
        #expect(
            result.complaints.hasPrefix(
                "error: \(file.setting.name): the file /nowhere/file cannot be read: No such file or directory\n"))
    }

    @Test("let a server start with a warning if its security.txt has expired or has unknown fields")
    func expired() async throws {
        try await OperatorFolder.with { files in
            try files.write(
                "Contact: mailto:security@example.com\nExpires: 2020-01-31T12:00:00Z\nAcknowledgements: x\n",
                to: .securityText)
            let result = try Transcript.run(["serve", "--check"], environment: try files.environment())
            #expect(result.status == 0)
            #expect(
                result.complaints.contains(
                    "warning: security-txt-file: it has expired (2020-01-31T12:00:00Z, "))
            #expect(
                result.complaints.contains(
                    "warning: security-txt-file: RFC 9116 names no field Acknowledgements, so readers ignore it"))
        }
    }

    @Test("are examined by siwa doctor too")
    func doctor() async throws {
        try await OperatorFolder.with { files in
            try files.write("Contact: mailto:security@example.com\nExpires: 2020-01-31T12:00:00Z\n", to: .securityText)
            try files.write("[]", to: .assetLinks)
            let result = try Transcript.run(
                ["doctor", "--emulator", "http://127.0.0.1:1"], environment: try files.environment())
            #expect(result.status == 1)
            #expect(result.output.contains("passed   app association  `ABCDE12345.com.example.juice` share passwords"))
            #expect(result.output.contains("FAILED   asset links      well_known_file_malformed: the file "))
            #expect(result.output.contains("passed   domain file      26 bytes, served as they are"))
            #expect(
                result.output.contains("FAILED   security.txt     security_txt_expired: it has expired (2020-01-31"))
        }
    }
}
