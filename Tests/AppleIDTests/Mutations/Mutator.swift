/// Changes texts at random, the same way for the same seed (SplitMix64).
struct Mutator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func number(below bound: Int) -> Int { Int(next() % UInt64(bound)) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[number(below: elements.count)] }

    /// JSON values of every kind, odd ones among them.
    static let values = [
        "null", "true", "false", "0", "-1", "1", "5", "1.5", "1e3", "1E400", "-0", "9007199254740993",
        "99999999999999999999", "1700000000", "1700086400",
        // The ends of the leeway, either way.
        "1699999939", "1699999940", "1699999941", "1700000059", "1700000060", "1700000061", "\"1700086400\"", "\"\"",
        "\"x\"", "\"true\"", "[]", "{}",
        "[\"com.example.juice\"]", "[\"x\",\"com.example.juice\"]", "[5,\"com.example.juice\"]", "[[]]", "{\"a\":1}",
        "{\"a\":1,\"a\":2}", "\"com.example.juice\"", "\"com.example.other\"", "\"https://appleid.apple.com\"",
        "\"https://appleid.apple.com/\"", "\"\\u0000\"", "\"\\ud800\"", "\"\\u0061\"", "01", "+1", "NaN", "Infinity",
        "'x'", "", "tru", "\"RS256\"", "\"none\"", "\"HS256\"", "\"TESTKEY001\"", "\"TESTKEY002\"",
    ]

    private static let bytes =
        Array("\"\\{}[]:,.-+eE0123456789 \t\n\u{0}abctruefalsn/_=u".utf8) + [0x80, 0xC0, 0xED, 0xFF]

    /// One to three small changes anywhere.
    mutating func change(_ text: [UInt8]) -> [UInt8] {
        var text = text
        for _ in 0...number(below: 3) {
            let position = number(below: text.count + 1)
            switch number(below: 6) {
            case 0: text.insert(pick(Self.bytes), at: position)
            case 1 where position < text.count: text.remove(at: position)
            case 2 where position < text.count: text[position] = pick(Self.bytes)
            case 3 where position < text.count: text[position] ^= 1 << UInt8(number(below: 8))
            case 4: text.removeSubrange(position..<min(text.count, position + number(below: 20)))
            default:
                let end = min(text.count, position + number(below: 20))
                text.insert(contentsOf: text[position..<end], at: number(below: text.count + 1))
            }
        }
        return text
    }

    /// Members of an object, one of them given another value, taken away, added or made double.
    mutating func change(_ members: [(String, String)], names: [String]) -> [(String, String)] {
        var members = members
        for _ in 0...number(below: 2) {
            let index = number(below: max(members.count, 1))
            switch number(below: 4) {
            case 0 where !members.isEmpty: members.remove(at: index)
            case 1 where !members.isEmpty: members.insert(members[index], at: number(below: members.count + 1))
            case 2: members.insert((pick(names), pick(Self.values)), at: number(below: members.count + 1))
            default: if !members.isEmpty { members[index].1 = pick(Self.values) }
            }
        }
        return members
    }

    static func json(_ members: [(String, String)]) -> [UInt8] {
        Array(("{" + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}").utf8)
    }
}
