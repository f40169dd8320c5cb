import AccountService
import Foundation
import Hummingbird
import Logging
import Testing

@testable import AccountHTTP

/// `Docs/openapi.yaml` and the router, in both directions. Tests/Peers holds the answers to the file.
@Suite("The description of the HTTP API")
struct DescribedRoutesTests {
    @Test("has every route of the server, and no other")
    func same() async throws {
        let service = try await TestService(
            publicURL: TestService.publicURL, webClient: TestService.web,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var configuration = AccountHTTPConfiguration.juice()
        configuration.signInScript = .popup
        let routes = try makeRouter(domain: service.domain, configuration: configuration).routes
        let served = Set(
            routes.filter { $0.method != .head && !"\($0.path)".hasPrefix("/assets/") }
                .map { "\($0.method.rawValue) \($0.path)" })
        let described = try described()
        #expect(described.count > 40)
        #expect(served.subtracting(described) == [], "served and not described")
        #expect(described.subtracting(served) == [], "described and not served")
    }

    /// The operations of `paths`, where a method is a member of its path, and the pages, where a list has them. The
    /// file's form is kept plain enough to be read by lines.
    private func described() throws -> Set<String> {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = try String(contentsOf: root.appending(path: "Docs/openapi.yaml"), encoding: .utf8)
        var (section, path, found): (Substring, Substring, Set<String>) = ("", "", [])
        for line in file.split(separator: "\n") {
            if let match = line.wholeMatch(of: /([a-z-]+):.*/) {
                section = match.1
            } else if section == "paths", let match = line.wholeMatch(of: #/  (/.*):/#) {
                path = match.1
            } else if section == "paths", let match = line.wholeMatch(of: #/    (get|post|put|patch|delete):/#) {
                found.insert("\(match.1.uppercased()) \(path)")
            } else if section == "x-pages", let match = line.wholeMatch(of: #/  (/.*): \[(.*)\]/#) {
                for method in match.2.split(separator: ", ") { found.insert("\(method.uppercased()) \(match.1)") }
            }
        }
        return found
    }
}
