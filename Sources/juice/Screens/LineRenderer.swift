import AccountClient
import JuiceScreens

/// A line of a screen: pieces of text, each with a meaning that the terminal may give a colour.
struct StyledLine: Hashable, Sendable {
    enum Role: Hashable, Sendable {
        case plain, title, caption, button, focusedButton, note, problem

        init(_ role: TextRole) {
            switch role {
            case .plain: self = .plain
            case .title: self = .title
            case .note: self = .note
            case .problem: self = .problem
            }
        }
    }

    struct Piece: Hashable, Sendable {
        let text: PrintableText
        let role: Role
    }

    var pieces: [Piece] = []

    static let empty = StyledLine()

    init() {}

    /// Everything that reaches a terminal goes through here, so nothing that is not printable does.
    init(_ text: String, _ role: Role = .plain) {
        pieces = [Piece(text: PrintableText(text), role: role)]
    }

    static func + (left: StyledLine, right: StyledLine) -> StyledLine {
        var line = left
        line.pieces += right.pieces
        return line
    }

    var text: String { pieces.map(\.text.text).joined() }
}

/// Makes the bytes for a terminal from lines.
struct LineRenderer: Sendable {
    var isASCII: Bool
    /// nil where no colours are wanted (https://no-color.org).
    var button: ASAuthorizationAppleIDButton.Style?

    /// Returns the whole page. It is drawn over the former page, so that nothing flickers, and clears what is left of it.
    func page(_ lines: [StyledLine]) -> String {
        var output = ""
        for (row, line) in lines.enumerated() {
            output += "\u{1B}[\(row + 1);1H" + line.pieces.map(styled).joined() + "\u{1B}[K"
        }
        return output + "\u{1B}[J"
    }

    /// Lines with no command to a terminal among them.
    func list(_ lines: [StyledLine]) -> String {
        lines.map { $0.pieces.map { plain($0) }.joined() + "\n" }.joined()
    }

    private func plain(_ piece: StyledLine.Piece) -> String {
        isASCII ? piece.text.ascii : piece.text.text
    }

    private func styled(_ piece: StyledLine.Piece) -> String {
        guard let button, let code = code(piece.role, button) else { return plain(piece) }
        return "\u{1B}[\(code)m" + plain(piece) + "\u{1B}[0m"
    }

    /// ECMA-48 8.3.117, SGR.
    private func code(_ role: StyledLine.Role, _ button: ASAuthorizationAppleIDButton.Style) -> String? {
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

extension ASAuthorizationAppleIDButton.Style {
    /// Chooses the style that stands out from the terminal's background. Some terminals name their colours in COLORFGBG, as
    /// `foreground;background`, where 7 and 15 are light. Most name none, and most are dark.
    init(colorFGBG: String?) {
        let ground = colorFGBG?.split(separator: ";").last.flatMap { Int($0) }
        self = ground == 7 || ground == 15 ? .black : .white
    }

    /// Bright white on black or the reverse, as ECMA-48 8.3.117 and its usual extension number the colours.
    var graphicRendition: String {
        self == .black ? "97;40" : "30;107"
    }
}
