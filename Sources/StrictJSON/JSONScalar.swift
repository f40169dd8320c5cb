/// A value that holds no others, read.
package enum JSONScalar: Sendable, Equatable {
    case bool(Bool)
    /// An exact integer within range, as ``JSONValue/int64`` has it.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    case string(String)
    /// `null`, a list, an object, or a number too large for a finite value.
    case other

    /// Nil for other than a string.
    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

extension JSONValue {
    /// What it says, unless it is a list or an object.
    package var scalar: JSONScalar { node.scalar(in: tape.bytes) }
}

extension JSONNode {
    func scalar(in bytes: [UInt8]) -> JSONScalar {
        switch tag {
        case .bool: .bool(flag)
        case .string: .string(text(in: bytes))
        case .number:
            if let integer = integer(Int64.self, in: bytes) {
                .integer(integer)
            } else if let number = double(in: bytes) {
                .number(number)
            } else {
                .other
            }
        case .null, .array, .object: .other
        }
    }
}
