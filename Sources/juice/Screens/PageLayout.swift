/// A screen as a full page of a terminal.
struct PageLayout: Sendable {
    var symbols: Symbols
    /// In cells.
    var width: Int
    var height: Int

    private static let widest = 76
    private static let captionWidth = 17

    private var margin: Int { width < 30 ? 2 : 4 }
    /// Two cells are the least that hold any character.
    private var inner: Int { max(2, min(width - 2 * margin, Self.widest)) }

    /// At most `height` lines. Where that is too few, the last ones stay: they have the buttons.
    func lines(_ blocks: [Block], focus: Command?) -> [Line] {
        let title = [Line.empty, indented(Line("juice", .title)), .empty]
        let body = blocks.flatMap { lines($0, focus: focus) }
        let room = max(1, height)
        return body.count >= room ? Array(body.suffix(room)) : Array((title + body).suffix(room))
    }

    private func lines(_ block: Block, focus: Command?) -> [Line] {
        switch block {
        case .text(let text, let role): wrapped(text, role)
        case .value(let caption, let value): valueLines(caption, value)
        case .address(let text): wrapped(text, .title)
        case .code(let text): wrapped(text, .title)
        case .gap: [.empty]
        case .buttons(let commands): buttonLines(commands, focus: focus)
        }
    }

    private func wrapped(_ text: String, _ role: Line.Role) -> [Line] {
        CellWidth.wrap(PrintableText(text).text, to: inner).map { indented(Line($0, role)) }
    }

    private func valueLines(_ caption: String, _ value: String?) -> [Line] {
        let text = value.map { PrintableText($0).text } ?? String(symbols.absent)
        guard inner >= 2 * Self.captionWidth else {
            return wrapped(caption, .caption) + CellWidth.wrap(text, to: inner).map { indented(Line($0)) }
        }
        let pieces = CellWidth.wrap(text, to: inner - Self.captionWidth)
        return pieces.enumerated().map { index, piece in
            let caption = index == 0 ? caption : ""
            return indented(Line(caption.padded(to: Self.captionWidth), .caption) + Line(piece))
        }
    }

    private func buttonLines(_ commands: [Command], focus: Command?) -> [Line] {
        // The pointer stands in the margin, so that the button itself begins where all the rest does.
        let start = Line(String(repeating: " ", count: margin - 2))
        var rows: [Line] = []
        for command in commands where command != .signIn {
            let isFocused = command == focus
            let text = "\(pointer(isFocused))[\(command.letter.uppercased())] \(command.title)"
            let button = Line(text, isFocused ? .focusedButton : .plain)
            if let row = rows.last, CellWidth.of(row.text) + 2 + text.count <= margin + inner {
                rows[rows.count - 1] = row + Line("  ") + button
            } else {
                rows.append(start + button)
            }
        }
        guard commands.contains(.signIn) else { return rows }
        return appleButton(isFocused: focus == .signIn) + [.empty] + rows
    }

    /// Apple's button has its title and nothing else in it.
    private func appleButton(isFocused: Bool) -> [Line] {
        let title = Command.signIn.title
        let room = min(inner - 2, 36)
        guard room >= title.count else {
            let margin = String(repeating: " ", count: margin - 2)
            return [Line(margin + pointer(isFocused) + title, isFocused ? .focusedButton : .button)]
        }
        let rule = String(repeating: symbols.horizontal, count: room)
        let left = (room - title.count) / 2
        let face = title.padded(to: room - left)
        let (corners, vertical) = (symbols.corners, String(symbols.vertical))
        return [
            indented(Line("\(corners[0])\(rule)\(corners[1])")),
            Line(String(repeating: " ", count: margin - 2) + pointer(isFocused) + vertical)
                + Line(String(repeating: " ", count: left) + face, isFocused ? .focusedButton : .button)
                + Line(vertical),
            indented(Line("\(corners[2])\(rule)\(corners[3])")),
        ]
    }

    private func pointer(_ isFocused: Bool) -> String {
        isFocused ? "\(symbols.pointer) " : "  "
    }

    private func indented(_ line: Line) -> Line {
        Line(String(repeating: " ", count: margin)) + line
    }
}

extension String {
    /// With spaces at the end; only for text of ours, one cell a character.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
