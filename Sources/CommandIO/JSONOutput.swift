import Foundation

extension Encodable {
    /// Encodes the value as JSON with sorted keys: on one line, or on several lines for people.
    package func jsonText(isSpread: Bool = false) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if isSpread { encoder.outputFormatting.insert(.prettyPrinted) }
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// A value that is written as null when it is not known. A plain optional would be left out.
package struct Nullable<Value: Encodable>: Encodable {
    package let value: Value?

    package init(_ value: Value?) {
        self.value = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
