import JuiceScreens

/// A screen as a full page of a terminal.
struct PageLayout: Sendable {
    var symbols: Symbols
    /// In cells.
    var width: Int
    var height: Int

    private static let maximumWidth = 76
    private static let captionWidth = 17

    private var margin: Int { width < 30 ? 2 : 4 }
    /// Two cells are the least that hold any character.
    private var inner: Int { max(2, min(width - 2 * margin, Self.maximumWidth)) }

    /// Returns at most `height` lines. If that is too few, it keeps the last lines, which have the buttons.
    func lines(_ blocks: [ScreenBlock], focus: Command?) -> [StyledLine] {
        let title = [StyledLine.empty, indented(StyledLine("juice", .title)), .empty]
        let body = blocks.flatMap { lines($0, focus: focus) }
        let room = max(1, height)
        return body.count >= room ? Array(body.suffix(room)) : Array((title + body).suffix(room))
    }

    private func lines(_ block: ScreenBlock, focus: Command?) -> [StyledLine] {
        switch block {
        case .text(let text, let role): wrapped(text, StyledLine.Role(role))
        case .value(let caption, let value): valueLines(caption, value)
        case .address(let text): wrapped(text, .title)
        case .code(let text): wrapped(text, .title)
        case .paragraph(let text): paragraphLines(text, width: inner).map { indented($0) }
        case .entry(let caption, let text):
            valueLines(caption, text + String(symbols.cursor)) + [.empty] + wrapped(Self.aboutEntry, .note)
        case .formEntry(let caption, let text, let isSecret):
            valueLines(caption, (isSecret ? symbols.hidden(text.count) : text) + String(symbols.cursor)) + [.empty]
                + wrapped(Self.aboutForm, .note)
        case .secret(let caption, let count): valueLines(caption, symbols.hidden(count))
        case .gap: [.empty]
        case .buttons(let commands): buttonLines(commands, focus: focus)
        }
    }

    private static let aboutEntry = "Return saves it, Esc leaves it as it was. An empty text removes it."

    private static let aboutForm = "Return goes on, Esc leaves."

    private func wrapped(_ text: String, _ role: StyledLine.Role) -> [StyledLine] {
        CellWidth.wrap(PrintableText(text).text, to: inner).map { indented(StyledLine($0, role)) }
    }

    private func valueLines(_ caption: String, _ value: String?) -> [StyledLine] {
        let text = value.map { PrintableText($0).text } ?? String(symbols.absent)
        guard inner >= 2 * Self.captionWidth else {
            return wrapped(caption, .caption) + CellWidth.wrap(text, to: inner).map { indented(StyledLine($0)) }
        }
        let pieces = CellWidth.wrap(text, to: inner - Self.captionWidth)
        return pieces.enumerated().map { index, piece in
            let caption = index == 0 ? caption : ""
            return indented(StyledLine(caption.padded(to: Self.captionWidth), .caption) + StyledLine(piece))
        }
    }

    private func buttonLines(_ commands: [Command], focus: Command?) -> [StyledLine] {
        // The pointer stands in the margin, so that a button is aligned with the other lines.
        let start = StyledLine(String(repeating: " ", count: margin - 2))
        var rows: [StyledLine] = []
        for command in commands where command != .signIn {
            let isFocused = command == focus
            let text = "\(pointer(isFocused))[\(command.letter.uppercased())] \(command.title)"
            let button = StyledLine(text, isFocused ? .focusedButton : .plain)
            if let row = rows.last, CellWidth.of(row.text) + 2 + CellWidth.of(text) <= margin + inner {
                rows[rows.count - 1] = row + StyledLine("  ") + button
            } else {
                rows.append(start + button)
            }
        }
        guard commands.contains(.signIn) else { return rows }
        return appleButton(isFocused: focus == .signIn) + [.empty] + rows
    }

    /// Apple's button has its title and nothing else in it.
    private func appleButton(isFocused: Bool) -> [StyledLine] {
        let title = Command.signIn.title
        let room = min(inner - 2, 36)
        guard room >= title.count else {
            let margin = String(repeating: " ", count: margin - 2)
            return [StyledLine(margin + pointer(isFocused) + title, isFocused ? .focusedButton : .button)]
        }
        let rule = String(repeating: symbols.horizontal, count: room)
        let left = (room - title.count) / 2
        let face = title.padded(to: room - left)
        let (corners, vertical) = (symbols.corners, String(symbols.vertical))
        return [
            indented(StyledLine("\(corners[0])\(rule)\(corners[1])")),
            StyledLine(String(repeating: " ", count: margin - 2) + pointer(isFocused) + vertical)
                + StyledLine(String(repeating: " ", count: left) + face, isFocused ? .focusedButton : .button)
                + StyledLine(vertical),
            indented(StyledLine("\(corners[2])\(rule)\(corners[3])")),
        ]
    }

    private func pointer(_ isFocused: Bool) -> String {
        isFocused ? "\(symbols.pointer) " : "  "
    }

    private func indented(_ line: StyledLine) -> StyledLine {
        StyledLine(String(repeating: " ", count: margin)) + line
    }
}

extension String {
    /// Returns the text with spaces at its end; only for text of ours, one cell a character.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}

/// Returns the lines of a paragraph, however long it is, because a person who agrees to a text must see all of it.
private func paragraphLines(_ text: String, width: Int) -> [StyledLine] {
    CellWidth.wrap(PrintableText(text, maximumLength: .max).text, to: width).map { StyledLine($0) }
}

/// A screen as lines one after the other: for terminals that cannot move a cursor, files and pipes.
struct ListLayout: Sendable {
    var symbols: Symbols

    private static let paragraphWidth = 76
    private static let aboutEntry = "Type it on a line. An empty line leaves it as it was, a hyphen removes it."

    private static let aboutForm = "Type it on a line."

    func lines(_ blocks: [ScreenBlock]) -> [StyledLine] {
        blocks.flatMap { block -> [StyledLine] in
            switch block {
            case .text(let text, let role): [StyledLine(text, StyledLine.Role(role))]
            case .value(let caption, let value):
                [StyledLine("\(caption): ") + StyledLine(value ?? String(symbols.absent))]
            case .address(let text), .code(let text): [StyledLine("  " + text)]
            case .paragraph(let text): paragraphLines(text, width: Self.paragraphWidth)
            case .entry(let caption, let text):
                [
                    StyledLine("\(caption): ") + StyledLine(text.isEmpty ? String(symbols.absent) : text),
                    StyledLine(Self.aboutEntry, .note),
                ]
            case .formEntry(let caption, let text, let isSecret):
                [
                    StyledLine("\(caption): ")
                        + StyledLine(isSecret || text.isEmpty ? String(symbols.absent) : text),
                    StyledLine(Self.aboutForm, .note),
                ]
            case .secret(let caption, let count): [StyledLine("\(caption): " + symbols.hidden(count))]
            // A screen whose only command is to quit needs no buttons here.
            case .gap, .buttons([.quit]): []
            case .buttons(let commands):
                [StyledLine(commands.map { "[\($0.letter)] \($0.title)" }.joined(separator: "   "))]
            }
        }
    }
}

/// The characters for lines and marks.
struct Symbols: Hashable, Sendable {
    let horizontal: Character
    let vertical: Character
    /// Top left, top right, bottom left, bottom right.
    let corners: [Character]
    let pointer: Character
    let absent: Character
    /// Stands for a character of a password.
    let mask: Character
    /// Stands where the next character comes.
    let cursor: Character = "_"

    static let unicode = Symbols(
        horizontal: "─", vertical: "│", corners: ["╭", "╮", "╰", "╯"], pointer: "▸", absent: "–", mask: "•")
    static let ascii = Symbols(
        horizontal: "-", vertical: "|", corners: ["+", "+", "+", "+"], pointer: ">", absent: "-", mask: "*")

    /// A password of this length as it is shown.
    func hidden(_ count: Int) -> String {
        String(repeating: mask, count: count)
    }
}
