import Foundation

/// The symbols in a table of the documentation.
struct DocumentedSymbols {
    /// Apple's: the symbols of each row's first cell, by the first word of the second.
    private(set) var apples: [Status: Set<String>] = [:]
    /// Ours: types, whose members need no rows.
    private(set) var ours: Set<String> = []
    /// Rows that cannot be read, such as those with a word that is no status.
    private(set) var unreadable: [String] = []

    /// Symbols of more than one row with the same status.
    private(set) var repeated: Set<String> = []

    enum Status: String, CaseIterable {
        case implemented, inherited, differs, testing, absent
    }

    init(in text: String) {
        var isOurs = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("## ") { isOurs = line.hasPrefix("## Not Apple") }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let symbols = Self.symbols(in: cells[0])
            if isOurs {
                ours.formUnion(symbols)
            } else if cells.count > 1, let status = Status(rawValue: cells[1]) {
                let explains = cells.count > 2 && !cells[2].isEmpty
                if status == .differs || status == .absent, !explains { unreadable.append(String(line)) }
                repeated.formUnion(symbols.intersection(apples[status, default: []]))
                apples[status, default: []].formUnion(symbols)
            } else {
                unreadable.append(String(line))
            }
        }
    }

    /// The code in a cell. `.email` after a type is its member; after a member, a member of the same type.
    private static func symbols(in cell: String) -> Set<String> {
        var owner = ""
        var symbols: Set<String> = []
        for match in cell.matches(of: #/`(?<symbol>[^`]+)`/#) {
            var symbol = String(match.symbol)
            if symbol.hasPrefix(".") {
                symbol = owner + symbol
            } else {
                let path = symbol.prefix { $0 != "(" }.split(separator: ".")
                let isType = path.last?.first?.isUppercase == true
                owner = (isType ? path : path.dropLast()).joined(separator: ".")
            }
            symbols.insert(symbol)
        }
        return symbols
    }
}
