/// Writes values as JSON (RFC 8259): no white space, members in the order in which they are encoded, no character
/// escaped but those that have to be. One value always has one text, unless there is a dictionary in it.
///
/// A value has one container, as what the compiler derives has: there is nobody who would merge two. Dates, URLs and
/// data are written as they encode themselves.
///
/// It writes as it goes and keeps nothing but the text. So a container that was opened inside another is over when the
/// other is written to again; what the compiler derives, and what is written by hand in its manner, never notices.
package struct StrictJSONEncoder: Sendable {
    package init() {}

    /// - Throws: `EncodingError` for a number that JSON cannot say, for a value that encodes nothing, and what the
    ///   value itself throws.
    package func encode(_ value: some Encodable) throws -> [UInt8] {
        let output = JSONOutput()
        try output.write(value)
        return output.finish()
    }
}
