/// Decodes values from strict JSON.
///
/// Throws ``StrictJSONError`` for the document, `DecodingError` with a coding path for its content. Members nobody asks
/// for are ignored. A number decodes as an integer only when it is exactly one.
package struct StrictJSONDecoder: Sendable {
    private let limits: JSONLimits

    package init(limits: JSONLimits = JSONLimits()) {
        self.limits = limits
    }

    package func decode<T: Decodable>(_ type: T.Type, from bytes: [UInt8]) throws -> T {
        try decode(type, from: JSONDocument(bytes, limits: limits).root)
    }

    package func decode<T: Decodable>(_ type: T.Type, from value: JSONValue) throws -> T {
        try T(from: ValueDecoder(value: value, codingPath: []))
    }
}
