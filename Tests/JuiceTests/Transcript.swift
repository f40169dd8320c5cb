import Foundation
import Testing

/// Holds what Juice shows against a file in `Transcripts/`.
///
/// With `SIWA_RECORD=1` in the environment the files are written anew; look at the difference before you keep it.
enum Transcript {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Transcripts")

    static func expect(_ name: String, _ text: String, location: SourceLocation = #_sourceLocation) throws {
        let file = folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["SIWA_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
            return
        }
        let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(text == expected, sourceLocation: location)
    }
}
