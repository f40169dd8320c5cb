import AccountService
import AppleIDTypes
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import Testing
import WellKnownFiles

@testable import AccountHTTP

/// The table of routes beside the router, Docs/routes.md and Docs/openapi.yaml. Tests/Peers holds the answers to the
/// last of them.
@Suite("The table of routes")
struct RouteTableTests {
    private let table = Route.table.flatMap(\.routes)

    private static func name(_ route: Route) -> String { "\(route.method.rawValue) \(route.path)" }

    @Test("has every route of the server, and no other")
    func served() async throws {
        let service = try await TestService(
            publicURL: TestService.publicURL, webClient: TestService.web, sendsMail: true, passwords: .test,
            providers: ["example"], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var configuration = try OperatorFileTests.configuration(WellKnownFile.allCases)
        configuration.signInScript = .popup
        let routes = try makeRouter(domain: service.domain, configuration: configuration).routes
        let served = Set(
            routes.map { route in
                let path = "\(route.path)"
                return "\(route.method.rawValue) \(path.hasPrefix("/assets/") ? "/assets/{file}" : path)"
            })
        #expect(served == Set(table.map(Self.name)))
        #expect(Set(table.map(Self.name)).count == table.count)
    }

    @Test("is what the description of the HTTP API has, in both directions")
    func described() throws {
        let served = Set(table.filter { $0.method != .head && $0.path != "/assets/{file}" }.map(Self.name))
        let described = try Description()
        let all = described.pages.union(described.calls.keys)
        #expect(all.count > 40)
        #expect(served.subtracting(all) == [], "served and not described")
        #expect(all.subtracting(served) == [], "described and not served")
        #expect(described.pages == served.intersection(table.filter { !$0.isForPrograms }.map(Self.name)))
    }

    @Test("asks for an access token where the description says so")
    func security() throws {
        let calls = try Description().calls
        for route in table where route.isForPrograms {
            let security =
                switch route.access {
                case .anyone: "[]"
                case .anyoneOrSession: "[{}, {accessToken: []}]"
                default: "[{accessToken: []}]"
                }
            #expect(calls[Self.name(route)] == security, "\(Self.name(route))")
        }
    }

    /// `make routes` runs this with `SIWA_RECORD=1`, which writes the table into the page.
    @Test("is the table in Docs/routes.md")
    func documented() throws {
        let file = Recording.root.appending(path: "Docs/routes.md")
        let page = try String(contentsOf: file, encoding: .utf8)
        let mark = "<!-- The service's routes, written by make routes -->\n"
        let parts = page.components(separatedBy: mark)
        try #require(parts.count == 3, "The page has the mark before the table and after it.")
        let written = Self.markdown()
        if ProcessInfo.processInfo.environment["SIWA_RECORD"] == "1" {
            try Data([parts[0], written, parts[2]].joined(separator: mark).utf8).write(to: file)
        } else {
            #expect(parts[1] == written, "Docs/routes.md is not up to date: run make routes.")
        }
    }

    private static func markdown() -> String {
        Route.table.map { section in
            let rows = section.routes.map { route in
                "| `\(route.method.rawValue)` | `\(route.path)` | \(words(route.access)) | \(words(route.budget))"
                    + " | \(words(route.condition)) |\n"
            }
            return """

                ### \(section.title)

                | method | path | caller | rate limit | needs |
                |---|---|---|---|---|
                \(rows.joined())
                """
        }.joined()
    }

    private static func words(_ access: Route.Access) -> String {
        switch access {
        case .anyone: "any program"
        case .anyoneOrSession: "any program, or a session"
        case .session: "a session"
        case .sessionOrEnded: "a session, or one that Apple ended"
        case .page: "any browser"
        case .visitor: "any browser; a signed-in one is recognized"
        case .browser: "a signed-in browser"
        case .formOfApple: "any browser, from Apple's page"
        case .formOfProvider: "any browser, from the provider's page"
        case .files: "anyone"
        }
    }

    private static func words(_ budget: Route.Budget?) -> String {
        switch budget {
        case .each(let kind), .refused(let kind): words(kind)
        case nil: ""
        }
    }

    private static func words(_ kind: BudgetKind) -> String {
        switch kind {
        case .signIn: "sign-ins by apps"
        case .beginning: "sign-ins that browsers begin"
        case .callback: "a provider's answers to browsers"
        case .password: "sign-ins by password or by link"
        case .mailedLink: "requests for links by mail"
        case .challenge: "challenges"
        case .authorization: "authorizations of apps and devices"
        case .redemption: "redemptions"
        case .refusedRefresh: "rejected refresh tokens"
        case .refusedToken: "rejected access tokens"
        case .refusedCookie: "rejected session cookies"
        case .refusedHandle: "rejected handles of deletions"
        case .refusedLink: "rejected links from mails"
        case .refusedNotification: "rejected notifications"
        }
    }

    private static func words(_ condition: Route.Condition) -> String {
        switch condition {
        case .always: ""
        case .webSignIn: "a Services ID for the website"
        case .signInScript: "a Services ID for the website, and Apple's script"
        case .browserSignIn: "a Services ID for the website, passwords, or another provider for browsers"
        case .providers: "another provider"
        case .providersInBrowsers: "another provider for browsers"
        case .passwords: "passwords"
        case .passwordsAndWebSignIn: "passwords, and a Services ID for the website"
        case .servicesID: "a Services ID"
        case .authorizations: "a Services ID, or an app and another provider for browsers"
        case .file: "this file"
        }
    }
}

/// The routes of Docs/openapi.yaml. The file's form is kept plain enough to be read by lines.
private struct Description {
    /// The `security` of each operation, by method and path.
    var calls: [String: String] = [:]
    /// The methods and paths of the pages.
    var pages: Set<String> = []

    init() throws {
        let file = try String(contentsOf: Recording.root.appending(path: "Docs/openapi.yaml"), encoding: .utf8)
        var (section, path, call) = (Substring(), Substring(), "")
        for line in file.split(separator: "\n") {
            if let match = line.wholeMatch(of: /([a-z-]+):.*/) {
                section = match.1
            } else if section == "paths", let match = line.wholeMatch(of: #/  (/.*):/#) {
                path = match.1
            } else if section == "paths", let match = line.wholeMatch(of: #/    (get|post|put|patch|delete):/#) {
                call = "\(match.1.uppercased()) \(path)"
                calls[call] = ""
            } else if section == "paths", let match = line.wholeMatch(of: #/      security: (.*)/#) {
                calls[call] = String(match.1)
            } else if section == "x-pages", let match = line.wholeMatch(of: #/  (/.*): \[(.*)\]/#) {
                for method in match.2.split(separator: ", ") { pages.insert("\(method.uppercased()) \(match.1)") }
            }
        }
    }
}
