/// The terminal of this process: the part that is the same on every platform. Each kind of platform has a file for the other
/// part.
///
/// It is one of a kind, like standard output, and so it has no instances.
enum TerminalDevice {
    /// Another page than the one with the shell on it, no cursor, and no line that wraps by itself.
    static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"

    /// Takes back ``entering``, and any colour.
    static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
}

/// The size of a terminal, in cells.
struct TerminalSize: Hashable, Sendable {
    var columns: Int
    var rows: Int

    static let usual = TerminalSize(columns: 80, rows: 24)
}

#if os(Windows)
    /// There Juice works line by line, and asks nothing of the console but to read and write.
    extension TerminalDevice {
        static var isInteractive: Bool { false }
        static var size: TerminalSize? { nil }

        static func enterRawMode() -> Bool { false }
        static func showTyping(_ isShown: Bool) {}
        static func restore() {}
        static func restoreOnCrash() {}
        static func suspend() {}
        static func bytes(within milliseconds: Int32?) -> [UInt8]? { nil }
    }
#endif
