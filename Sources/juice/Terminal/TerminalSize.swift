/// Of a terminal, in cells.
struct TerminalSize: Hashable, Sendable {
    var columns: Int
    var rows: Int

    static let usual = TerminalSize(columns: 80, rows: 24)
}
