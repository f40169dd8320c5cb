import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import AppleIDEmulator

/// The table of routes beside the router and Docs/emulator-routes.md. `OpenAPIRouteTests` holds the OpenAPI file to it.
@Suite("The emulator's table of routes")
struct EmulatorRouteTableTests {
    @Test("lists exactly the paths of the router, and each path has one kind of caller")
    func served() async throws {
        let emulator = try await TestEmulator()
        let router = Emulator.router(emulator.emulator.core, try Pages(), isExposed: false)
        let served = Set(
            router.routes.map { route in
                let path = route.path.description.replacing(/:([a-zA-Z]+)/) { "{\($0.1)}" }
                return "\(route.method.rawValue) \(path)"
            })
        for route in EmulatorRoute.all { #expect(served.contains("\(route.method.rawValue) \(route.path)")) }
        let paths = Set(served.compactMap { $0.split(separator: " ").last.map(String.init) })
        #expect(paths == Set(EmulatorRoute.all.map(\.path)))
        for (path, routes) in Dictionary(grouping: EmulatorRoute.all, by: \.path) {
            #expect(Set(routes.map(\.access)).count == 1, "\(path)")
        }
    }

    /// `make routes` runs this with `SIWA_RECORD=1`, which writes the table into the page.
    @Test("is the table in Docs/emulator-routes.md")
    func documented() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Docs/emulator-routes.md").standardizedFileURL
        let page = try String(contentsOf: file, encoding: .utf8)
        let mark = "<!-- The emulator's routes, written by make routes -->\n"
        let parts = page.components(separatedBy: mark)
        try #require(parts.count == 3, "The page has the mark before the table and after it.")
        let rows = EmulatorRoute.all.map {
            "| `\($0.method.rawValue)` | `\($0.path)` | \($0.access.rawValue) | \($0.summary) |\n"
        }
        let written = "\n| method | path | for | what it does |\n|---|---|---|---|\n" + rows.joined() + "\n"
        if ProcessInfo.processInfo.environment["SIWA_RECORD"] == "1" {
            try Data([parts[0], written, parts[2]].joined(separator: mark).utf8).write(to: file)
        } else {
            #expect(parts[1] == written, "Docs/emulator-routes.md is not up to date: run make routes.")
        }
    }
}
