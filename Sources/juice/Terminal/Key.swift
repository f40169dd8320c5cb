/// A key that was pressed, or a letter that was typed as a line.
enum Key: Hashable, Sendable {
    case enter, escape, tab, backTab, up, down, left, right
    /// Ctrl-C, which a terminal in raw mode hands over as a key.
    case interrupt
    /// Ctrl-Z, likewise.
    case suspend
    case character(Character)
}
