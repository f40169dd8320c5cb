/// A line of a screen: pieces of text, each with a meaning that the terminal may give a colour.
struct Line: Hashable, Sendable {
    enum Role: Hashable, Sendable {
        case plain, title, caption, button, focusedButton, note, problem
    }

    struct Piece: Hashable, Sendable {
        let text: PrintableText
        let role: Role
    }

    var pieces: [Piece] = []

    static let empty = Line()

    init() {}

    /// Everything that reaches a terminal goes through here, so nothing that is not printable does.
    init(_ text: String, _ role: Role = .plain) {
        pieces = [Piece(text: PrintableText(text), role: role)]
    }

    static func + (left: Line, right: Line) -> Line {
        var line = left
        line.pieces += right.pieces
        return line
    }

    var text: String { pieces.map(\.text.text).joined() }
}
