import Foundation
import Testing

/// Compares what the service answers with a file in `Recorded/`.
///
/// With `SIWA_RECORD=1` in the environment the files are written anew. Look at the difference before you keep it: apps
/// and operators rely on what the files hold.
enum Recording {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recorded")

    static func expect(_ name: String, _ text: String, location: SourceLocation = #_sourceLocation) throws {
        let file = folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["SIWA_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
            return
        }
        let expected = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let difference = text.split(separator: "\n", omittingEmptySubsequences: false)
            .difference(from: expected.split(separator: "\n", omittingEmptySubsequences: false))
        let lines = difference.map { change in
            switch change {
            case .insert(let offset, let line, _): "+ \(offset + 1): \(line)"
            case .remove(let offset, let line, _): "- \(offset + 1): \(line)"
            }
        }
        #expect(lines.isEmpty, "\(name).txt:\n\(lines.joined(separator: "\n"))", sourceLocation: location)
    }

    /// The repository's folder.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
