import Foundation
import TaskSignals

/// One line on standard error that says how far a long command is. Only for people: nothing where that is no terminal.
final class ProgressBar: Sendable {
    private let label: String
    private let screen: FileHandle
    private let isShown: Bool
    /// The line last drawn. It is drawn anew only when it would be another.
    private let drawn = Lock("")

    /// - Parameter screen: standard error but in tests.
    init(_ label: String, on screen: FileHandle = .standardError) {
        self.label = label
        self.screen = screen
        isShown = isatty(screen.fileDescriptor) != 0
    }

    /// - Parameter note: the text behind the bar.
    func show(_ done: Int, of total: Int, note: String = "") {
        guard isShown else { return }
        let percent = total <= 0 ? 100 : min(100, done * 100 / total)
        let line = Self.line(label, percent: percent) + (note.isEmpty ? "" : "  \(note)")
        let former = drawn.withLock { last in
            defer { last = line }
            return last
        }
        guard line != former else { return }
        write("\r\(line)" + String(repeating: " ", count: max(0, former.count - line.count)))
    }

    /// Removes the line.
    func clear() {
        guard isShown else { return }
        let length = max(drawn.withLock { $0.count }, Self.line(label, percent: 100).count)
        write("\r" + String(repeating: " ", count: length) + "\r")
    }

    static func line(_ label: String, percent: Int) -> String {
        let filled = percent * 30 / 100
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        let number = "\(percent)"
        return "\(label) [\(bar)] \(String(repeating: " ", count: 3 - number.count))\(number) %"
    }

    private func write(_ text: String) {
        // If standard error can't be written, nobody sees the bar.
        try? screen.write(contentsOf: Data(text.utf8))
    }
}
