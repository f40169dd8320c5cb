/// A screen as lines one after the other: for terminals that cannot move a cursor, files and pipes.
struct ListLayout: Sendable {
    var symbols: Symbols

    func lines(_ blocks: [Block]) -> [Line] {
        blocks.flatMap { block -> [Line] in
            switch block {
            case .text(let text, let role): [Line(text, role)]
            case .value(let caption, let value): [Line("\(caption): ") + Line(value ?? String(symbols.absent))]
            case .address(let text), .code(let text): [Line("  " + text)]
            // Where nothing else can be done, nobody needs to be told to wait or leave.
            case .gap, .buttons([.quit]): []
            case .buttons(let commands):
                [Line(commands.map { "[\($0.letter)] \($0.title)" }.joined(separator: "   "))]
            }
        }
    }
}
