import CommandIO
import Foundation
import Testing

@testable import siwa

@Suite("A ready file")
struct ReadyFileTests {
    private func withFile(_ body: (ReadyFile) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "siwa-ready-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(ReadyFile(path: path))
    }

    @Test("is one JSON object for its owner alone, and goes when the run ends")
    func life() throws {
        try withFile { file in
            let text = try file.write(["baseURL": "http://127.0.0.1:1", "controlToken": "t"])
            #expect(text == #"{"baseURL":"http://127.0.0.1:1","controlToken":"t"}"# + "\n")
            #expect(FileManager.default.contents(atPath: file.path) == Data(text.utf8))
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            file.remove(text)
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("that another run has rewritten since is left alone")
    func others() throws {
        try withFile { file in
            let first = try file.write(["baseURL": "http://127.0.0.1:1"])
            _ = try file.write(["baseURL": "http://127.0.0.1:2"])
            file.remove(first)
            #expect(FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("of a run that was killed is removed, so that nobody reads it")
    func stale() throws {
        try withFile { file in
            try file.clear()
            _ = try file.write(["baseURL": "http://127.0.0.1:1"])
            try file.clear()
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test("that cannot take its place leaves nothing of it behind")
    func noDraft() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "siwa-ready-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        #expect(throws: Failure.self) { try ReadyFile(path: folder.path).write(["controlToken": "t"]) }
        #expect(!FileManager.default.fileExists(atPath: folder.path + ".new"))
    }

    @Test("that cannot be written is a failure that names it")
    func unwritable() {
        let file = ReadyFile(path: "/nowhere/ready.json")
        let failure = #expect(throws: Failure.self) { try file.write(["baseURL": "x"]) }
        #expect(failure?.problem == "the file /nowhere/ready.json cannot be written")
    }
}
