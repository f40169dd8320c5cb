import Foundation
import Testing
import WellKnownFiles

@testable import siwa

/// The files of a test, in a folder of their own.
struct OperatorFolder {
    private static let contents: [WellKnownFile: String] = [
        .appSiteAssociation: #"{ "webcredentials": {"apps": ["ABCDE12345.com.example.juice"]} }"#,
        .assetLinks: #"[{"relation": ["a/b"], "target": {"namespace": "web", "site": "https://example.com"}}]"#,
        .domainAssociation: "7B2276657273696F6E223A317D",
        .securityText: "Contact: mailto:security@example.com\nExpires: 9999-12-31T00:00:00Z\n",
    ]

    let folder: URL

    /// Runs with a folder that has good files.
    static func with<Result>(_ body: (Self) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
        let files = Self(folder: folder)
        for (file, text) in contents { try files.write(text, to: file) }
        return try await body(files)
    }

    func path(_ file: WellKnownFile) -> String { folder.appending(path: file.rawValue).path }

    func write(_ text: String, to file: WellKnownFile) throws {
        try Data(text.utf8).write(to: URL(filePath: path(file)))
    }

    func content(_ file: WellKnownFile) throws -> String {
        try String(contentsOf: URL(filePath: path(file)), encoding: .utf8)
    }

    /// Good settings that name the files.
    func environment() throws -> [String: String] {
        var environment = try ServeSettingsTests.good()
        for file in WellKnownFile.allCases { environment[file.setting.variable] = path(file) }
        return environment
    }
}
