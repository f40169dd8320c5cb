import Foundation
import HTTPTypes
import Testing

@testable import AccountHTTP

@Suite("The files of the pages")
struct PageFilesTests {
    private static let folder = Recording.root.appending(path: "Sources/CAccountPages")

    @Test("The program contains every page file unchanged")
    func carried() throws {
        var files: [String: String] = [:]
        for folder in ["Images", "Pages", "Scripts", "Styles"] {
            for file in try FileManager.default.contentsOfDirectory(
                at: Self.folder.appending(path: folder), includingPropertiesForKeys: nil)
            {
                files[file.lastPathComponent] = try String(contentsOf: file, encoding: .utf8)
            }
        }
        #expect(files.count > 15)
        #expect(PageFiles().texts == files)
    }

    @Test("A file that isn't there is an error")
    func missing() {
        #expect(throws: PageFiles.MissingFile.self) { try PageFiles().text("nothing.css") }
    }

    @Test("Every link and every form leads to a route")
    func links() throws {
        let routes = Set(
            Route.table.flatMap(\.routes).map { route in
                "\(route.method.rawValue) \(route.path.replacing(/\{[a-z]+\}/, with: "*"))"
            })
        for (name, text) in PageFiles().templates {
            for match in text.matches(of: #/(?<kind>href|action)="(?<path>\/[^"?]*)(?:\?[^"]*)?"/#) {
                let path = match.path.replacing("{{query}}", with: "").replacing(/\{\{[a-z]+\}\}/, with: "*")
                let method = match.kind == "href" ? "GET" : "POST"
                #expect(routes.contains("\(method) \(path)"), "\(name): \(path)")
            }
        }
    }
}
