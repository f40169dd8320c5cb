import Foundation

/// The public declarations in some sources, by their names with owner and argument labels, as `Owner.name(label:)`.
///
/// It reads our own formatted sources, one declaration a line, and no Swift in general.
struct PublicDeclarations {
    private(set) var names: Set<String> = []
    private var scopes: [Scope] = [Scope(kind: .members(owner: [], silentlyPublic: .none))]
    private var pending: Scope?

    private struct Scope {
        enum Kind {
            /// - `silentlyPublic`: which members are public without saying so.
            case members(owner: [String], silentlyPublic: SilentlyPublic)
            case body
        }
        enum SilentlyPublic {
            case none, cases, requirements
        }
        var kind: Kind
    }

    /// The members that every credential and request has by NSCopying and NSSecureCoding.
    private static let fromFoundation: Set<String> = [
        "copy(with:)", "encode(with:)", "init(coder:)", "supportsSecureCoding",
    ]

    init(in folder: URL) throws {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            read(try String(contentsOf: file, encoding: .utf8))
        }
    }

    init(in source: String) {
        read(source)
    }

    private mutating func read(_ source: String) {
        var unfinished = ""
        for line in source.split(separator: "\n") {
            let code = Self.withoutCommentsAndStrings(String(line)).trimmingCharacters(in: .whitespaces)
            guard !code.isEmpty, !code.hasPrefix("#") else { continue }
            unfinished += unfinished.isEmpty ? code : " \(code)"
            // A list of parameters may go over several lines.
            guard unfinished.count(where: { $0 == "(" }) == unfinished.count(where: { $0 == ")" }) else { continue }
            note(unfinished)
            enterAndLeave(unfinished)
            unfinished = ""
        }
    }

    private mutating func note(_ code: String) {
        guard case .members(let owner, let silentlyPublic) = scopes.last?.kind else { return }
        guard let declaration = Declaration(code) else { return }
        let path = owner + [declaration.name]
        let name = path.joined(separator: ".")
        switch declaration.keyword {
        case "extension":
            pending = Scope(
                kind: .members(owner: declaration.name.components(separatedBy: "."), silentlyPublic: .none))
        case "struct", "class", "enum", "protocol":
            guard declaration.isPublic else {
                pending = Scope(kind: .body)
                return
            }
            names.insert(name)
            let silentlyPublic: Scope.SilentlyPublic =
                switch declaration.keyword {
                case "enum": .cases
                case "protocol": .requirements
                default: .none
                }
            pending = Scope(kind: .members(owner: path, silentlyPublic: silentlyPublic))
        case "case":
            if silentlyPublic == .cases { names.insert(name) }
        default:
            guard declaration.isPublic || silentlyPublic == .requirements else { return }
            // An underscore marks what Foundation's protocols want and nobody calls.
            if !Self.fromFoundation.contains(declaration.name), !declaration.name.hasPrefix("_") { names.insert(name) }
        }
    }

    private mutating func enterAndLeave(_ code: String) {
        for character in code {
            if character == "{" {
                scopes.append(pending ?? Scope(kind: .body))
                pending = nil
            } else if character == "}" {
                scopes.removeLast()
            }
        }
    }

    private static func withoutCommentsAndStrings(_ line: String) -> String {
        var rest = line[...]
        var code = ""
        var isInString = false
        while let character = rest.popFirst() {
            if isInString {
                if character == "\\" { _ = rest.popFirst() }
                if character == "\"" { isInString = false }
            } else if character == "\"" {
                isInString = true
            } else if character == "/", rest.first == "/" {
                break
            } else {
                code.append(character)
            }
        }
        return code
    }
}

/// The head of one declaration.
private struct Declaration {
    let isPublic: Bool
    let keyword: String
    /// The name, with argument labels.
    let name: String

    init?(_ code: String) {
        let pattern =
            #/^(?<attributes>(@\w+(\([^)]*\))? )*)(?<modifiers>((public|open|package|internal|private|fileprivate|static|class|final|override|convenience|required|weak|nonisolated|mutating|indirect|private\(set\)|nonisolated\(unsafe\)) )*)(?<keyword>struct|class|enum|protocol|extension|func|var|let|init|case|typealias)\b *(?<name>[\w.`]*)(?<rest>.*)$/#
        guard let match = code.wholeMatch(of: pattern) else { return nil }
        let modifiers = match.modifiers.split(separator: " ")
        isPublic = modifiers.contains("public") || modifiers.contains("open")
        keyword = String(match.keyword)
        let word = String(match.name.replacing("`", with: ""))
        switch keyword {
        case "func": name = word + Self.labels(in: match.rest)
        case "init": name = "init" + Self.labels(in: match.rest)
        default: name = word
        }
    }

    /// `(_:options:)` for `<Value>(_ value: Value, options: Options = [])`.
    private static func labels(in text: Substring) -> String {
        guard let start = text.firstIndex(of: "(") else { return "()" }
        var depth = 0
        var parameters = [""]
        for character in text[start...] {
            if "([<{".contains(character) { depth += 1 }
            if ")]}".contains(character) { depth -= 1 }
            // Not the arrow's.
            if character == ">", parameters.last?.last != "-" { depth -= 1 }
            if depth == 0 { break }
            if character == ",", depth == 1 {
                parameters.append("")
            } else if depth > 1 || character != "(" {
                parameters[parameters.count - 1].append(character)
            }
        }
        let labels = parameters.compactMap { parameter in
            parameter.split(whereSeparator: { $0 == " " || $0 == ":" }).first
        }
        return "(" + labels.map { "\($0):" }.joined() + ")"
    }
}
