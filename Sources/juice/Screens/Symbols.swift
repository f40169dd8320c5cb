/// What lines and marks are drawn with.
struct Symbols: Hashable, Sendable {
    let horizontal: Character
    let vertical: Character
    /// Top left, top right, bottom left, bottom right.
    let corners: [Character]
    let pointer: Character
    let absent: Character

    static let unicode = Symbols(
        horizontal: "─", vertical: "│", corners: ["╭", "╮", "╰", "╯"], pointer: "▸", absent: "–")
    static let ascii = Symbols(
        horizontal: "-", vertical: "|", corners: ["+", "+", "+", "+"], pointer: ">", absent: "-")
}
