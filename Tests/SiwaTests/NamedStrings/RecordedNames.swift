import Foundation
import Testing

/// Names that other programs, stored data or operators rely on, held against a file in `Recorded/`.
///
/// A line that is new is a new name, and fine. A line that is gone is a name that somebody still relies on: a row of a
/// database, a client, a dashboard, a settings file. With `SIWA_RECORD=1` in the environment the files are written
/// anew; look at the difference before you keep it.
enum RecordedNames {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recorded")

    /// Compares lines with `Recorded/NAME.txt`, and says which are new and which are gone.
    static func expect(
        _ name: String, _ lines: some Sequence<String>, location: SourceLocation = #_sourceLocation
    ) throws {
        let lines = Array(lines)
        let file = folder.appending(path: "\(name).txt")
        if ProcessInfo.processInfo.environment["SIWA_RECORD"] == "1" {
            try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
            return
        }
        let recorded = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
        let (gone, new) = (Set(recorded).subtracting(lines), Set(lines).subtracting(recorded))
        #expect(
            gone.isEmpty && new.isEmpty,
            "\(name).txt has lines that are gone: \(gone.sorted()); and lacks lines that are new: \(new.sorted())",
            sourceLocation: location)
    }
}
