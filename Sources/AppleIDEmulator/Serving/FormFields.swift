import AppleIDTypes

/// The fields of a query string or of an `application/x-www-form-urlencoded` body, read without repairing anything.
///
/// Like Apple, it refuses a parameter that stands twice, whether its name is known or not.
@available(siwaServer 1.0, *)
struct FormFields: Sendable {
    private var values: [String: String] = [:]

    /// The meaning of a `+`: a space in forms and, on the web, in queries. Apple's devices, when they take an
    /// authorization request over from the browser, read a plus there.
    enum Plus: Sendable { case space, plus }

    static let maximumCount = 100

    /// - Parameter unencoded: the error code for a value that is not percent-encoded.
    init(
        _ bytes: some Collection<UInt8>, plus: Plus, unencoded: Refusal.Code = .invalidRequest
    ) throws(Refusal) {
        guard !bytes.isEmpty else { return }
        let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        guard pairs.count <= Self.maximumCount else { throw Self.refused("there are too many parameters") }
        for pair in pairs {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decode(parts[0], plus, unencoded)
            guard !name.isEmpty else { throw Self.refused("a parameter has no name") }
            let value = parts.count > 1 ? try Self.decode(parts[1], plus, unencoded) : ""
            guard values.updateValue(value, forKey: name) == nil else {
                throw Self.refused("a parameter stands twice\(Self.quoted(name))")
            }
        }
    }

    /// Nil when the field is absent or empty: Apple's endpoints make no difference between the two.
    subscript(_ name: String) -> String? {
        guard let value = values[name], !value.isEmpty else { return nil }
        return value
    }

    var names: Set<String> { Set(values.keys) }

    /// The value of a field as it was sent, even if it is empty.
    func verbatim(_ name: String) -> String? { values[name] }

    private static func decode(
        _ bytes: some Collection<UInt8>, _ plus: Plus, _ unencoded: Refusal.Code
    ) throws(Refusal) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
                    throw Refusal(unencoded, "a percent sign is not followed by two hexadecimal digits")
                }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plus == .space: decoded.append(UInt8(ascii: " "))
            case 0x21...0x7e: decoded.append(byte)
            default: throw Refusal(unencoded, "a parameter is not percent-encoded")
            }
        }
        guard !decoded.contains(0) else { throw refused("a parameter holds U+0000") }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw refused("a parameter is not UTF-8")
        }
        return text
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).isASCII ? Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init) : nil
    }

    /// Names a parameter only when it looks like one: the text may be shown.
    private static func quoted(_ name: String) -> String {
        let isWord = name.utf8.count <= 40 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "_") }
        return isWord ? ": \(name)" : ""
    }

    private static func refused(_ description: String) -> Refusal { Refusal(.invalidRequest, description) }
}
