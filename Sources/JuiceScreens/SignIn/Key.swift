/// A key that was pressed, or a letter that was typed as a line.
package enum Key: Hashable, Sendable {
    case enter, escape, tab, backTab, up, down, left, right
    case backspace
    /// Ctrl-U, which empties the line that is typed.
    case eraseLine
    /// Ctrl-C, which a terminal in raw mode hands over as a key.
    case interrupt
    /// Ctrl-Z, which a terminal in raw mode hands over as a key.
    case suspend
    case character(Character)
}

extension Key {
    /// A line as a key: the one it begins with, or Return when it is empty.
    init(line: String) {
        self = line.first { !$0.isWhitespace }.map { .character($0) } ?? .enter
    }
}
