/// The terminal of this process, as far as every platform has one. What differs is in one file a kind of platform.
///
/// It is one of a kind, like standard output, and so it has no instances.
enum TerminalDevice {
    /// Another page than the one with the shell on it, no cursor, and no line that wraps by itself.
    static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"

    /// Takes back ``entering``, and any colour.
    static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
}
