import Foundation

/// A file that is there while a server answers, and tells scripts where.
struct ReadyFile: Sendable {
    let path: String

    /// Takes away what a run that was killed left behind: it would tell of a server that is gone.
    func clear() throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw Failure("the file \(path) cannot be written")
        }
    }

    /// Writes the members as one JSON object, for the owner alone: a token may be among them.
    /// - Returns: what ``remove(_:)`` wants.
    func write(_ content: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let text = String(decoding: try encoder.encode(content), as: UTF8.self) + "\n"
        try AtomicFile.write(text, to: path, permissions: 0o600)
        return text
    }

    /// Removes the file if it still is what this run wrote; another run may have put its own there since.
    func remove(_ text: String) {
        guard let content = FileManager.default.contents(atPath: path), content == Data(text.utf8) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            complain("warning: the file \(path) could not be removed")
        }
    }
}
