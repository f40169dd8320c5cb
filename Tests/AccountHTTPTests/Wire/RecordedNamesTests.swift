import AccountAPI
import AccountService
import AppleID
import Foundation
import HTTPTypes
import MetricsTestKit
import Testing

@testable import AccountHTTP

/// `Recorded/names.txt` lists the names that operators and browsers keep: metrics with their labels, the keys of log
/// lines, cookies and headers. They never change.
@Suite("Names that never change")
struct RecordedNamesTests {
    @Test("Metrics, keys of the log, cookies and headers are those recorded")
    func same() async throws {
        let metrics = TestMetrics()
        var instrumentation = AppleIDInstrumentation.system
        instrumentation.metrics = metrics
        try await withService(instrumentation: instrumentation) { client, _ in
            _ = try await client.page("/")
        }
        var lines: Set<String> = []
        for counter in metrics.counters where counter.label.hasPrefix("accounts.request") {
            lines.insert("metric \(counter.label) \(counter.dimensions.map(\.0).joined(separator: " "))")
        }
        for timer in metrics.timers where timer.label.hasPrefix("accounts.request") {
            lines.insert("metric \(timer.label) \(timer.dimensions.map(\.0).joined(separator: " "))")
        }
        for cookie in [CookieName.browser, .session] {
            lines.insert("cookie \(cookie.setting("value", lifetime: .seconds(1)))")
        }
        for name in [HTTPField.Name.requestID, .referrerPolicy, .secFetchSite, .refresh, .forwardedFor] {
            lines.insert("header \(name.canonicalName)")
        }
        for (target, source) in try Self.sources() {
            for match in source.matches(
                of: /"(?<key>[A-Za-z.]+)": "\\\(|metadataKey: "(?<single>[A-Za-z.]+)"|metadata\["(?<set>[A-Za-z.]+)"\]/)
            {
                if let key = match.key ?? match.single ?? match.set { lines.insert("log \(target) \(key)") }
            }
        }
        try Recording.expect("names", lines.sorted().map { $0 + "\n" }.joined())
    }

    /// The Swift files of the targets that serve HTTP.
    private static func sources() throws -> [(target: String, text: String)] {
        try ["AccountHTTP", "HTTPConnections"].flatMap { target in
            let folder = Recording.root.appending(path: "Sources/\(target)")
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            return try (files?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
                .map { (target, try String(contentsOf: $0, encoding: .utf8)) }
        }
    }
}
