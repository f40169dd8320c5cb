import Foundation
import Testing

@testable import AppleIDEmulator

@Suite("Files of pages")
struct PageFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/CEmulatorPages").standardizedFileURL

    @Test(
        "each file is built into the program as it is in its folder",
        arguments: ["Images", "Pages", "Scripts", "Styles"])
    func carried(folder: String) throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Self.folder.appending(path: folder).path)
        #expect(!names.isEmpty)
        for name in names {
            let content = try String(contentsOf: Self.folder.appending(path: "\(folder)/\(name)"), encoding: .utf8)
            #expect(try PageFile.text(name) == content, "\(name)")
        }
    }

    @Test("a missing file is an error")
    func missing() {
        #expect(throws: PageFile.Missing.self) { try PageFile.text("nothing.mustache") }
    }
}
