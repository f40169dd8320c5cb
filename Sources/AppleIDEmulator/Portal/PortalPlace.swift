import StrictJSON

/// Where in a portal's JSON something stands, as messages write it: `teams[0].apps[1].id`.
struct PortalPlace {
    private enum Step {
        case member(String)
        case element(Int)
    }

    private let steps: [Step]

    init(_ text: String) {
        steps = text.split(separator: ".").flatMap { part -> [Step] in
            let pieces = part.split(separator: "[")
            return [.member(String(pieces.first ?? ""))]
                + pieces.dropFirst().compactMap { Int($0.dropLast()).map { .element($0) } }
        }
    }

    /// The number of the line, from 1 on, in which the value begins; of what is missing, the line of what should have
    /// it.
    func line(in root: JSONValue, of bytes: [UInt8]) -> Int {
        var value = root
        search: for step in steps {
            let next: JSONValue?
            switch step {
            case .member(let name): next = value.kind == .object ? value[name] : nil
            case .element(let index):
                next = value.kind == .array ? Array(value.elements).dropFirst(index).first : nil
            }
            guard let next else { break search }
            value = next
        }
        return Self.line(at: value.offset, of: bytes)
    }

    static func line(at offset: Int, of bytes: [UInt8]) -> Int {
        1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
    }
}
