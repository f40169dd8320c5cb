import AccountClient

/// Lines → what is written to a terminal.
struct Frame: Sendable {
    var isASCII: Bool
    /// nil where no colours are wanted (https://no-color.org).
    var button: ASAuthorizationAppleIDButton.Style?

    /// The whole page, drawn over what was there: nothing flickers, and nothing of it stays.
    func page(_ lines: [Line]) -> String {
        var output = ""
        for (row, line) in lines.enumerated() {
            output += "\u{1B}[\(row + 1);1H" + line.pieces.map(styled).joined() + "\u{1B}[K"
        }
        return output + "\u{1B}[J"
    }

    /// Lines with no command to a terminal among them.
    func list(_ lines: [Line]) -> String {
        lines.map { $0.pieces.map { plain($0) }.joined() + "\n" }.joined()
    }

    private func plain(_ piece: Line.Piece) -> String {
        isASCII ? piece.text.ascii : piece.text.text
    }

    private func styled(_ piece: Line.Piece) -> String {
        guard let button, let code = code(piece.role, button) else { return plain(piece) }
        return "\u{1B}[\(code)m" + plain(piece) + "\u{1B}[0m"
    }

    /// ECMA-48 8.3.117, SGR.
    private func code(_ role: Line.Role, _ button: ASAuthorizationAppleIDButton.Style) -> String? {
        switch role {
        case .plain: nil
        case .title: "1"
        case .caption, .note: "2"
        case .problem: "31"
        case .button: button.graphicRendition
        case .focusedButton: button.graphicRendition + ";1"
        }
    }
}
