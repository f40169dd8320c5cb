/// An error that says why bytes are not strict JSON, and at which offset.
package struct StrictJSONError: Error, Equatable, CustomStringConvertible {
    /// A kind of fault.
    package enum Code: String, Sendable {
        /// The text doesn't follow the grammar of RFC 8259. Includes lone surrogates and a byte order mark.
        case malformed
        /// An object names a member twice.
        case duplicateMember = "duplicate_member"
        case tooDeep = "too_deep"
        case tooLarge = "too_large"
        case invalidUTF8 = "invalid_utf8"
        /// U+0000 in a name or string, raw or escaped. Valid JSON, but no text here may hold it.
        case nullCharacter = "null_character"
    }

    package let code: Code
    /// The offset of the fault, in bytes from the start of the document.
    package let offset: Int

    package init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    package var description: String { "\(code.rawValue) at byte \(offset)" }
}
