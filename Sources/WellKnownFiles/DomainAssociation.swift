/// The file by which Apple's developer portal finds out that a host belongs to a developer account.
///
/// Its content is Apple's own and documented nowhere. So only what can't be that file is refused.
package struct DomainAssociation: Sendable, Hashable {
    package init(_ bytes: [UInt8]) throws(WellKnownFileError) {
        let text = try PlainText.read(bytes)
        guard text.first(where: { !$0.isWhitespace }) != "<" else {
            throw WellKnownFileError(
                .webPage, "is a web page; download the file again in Apple's developer portal, signed in there")
        }
    }
}

/// Reads a file that is a text.
enum PlainText {
    static func read(_ bytes: [UInt8]) throws(WellKnownFileError) -> String {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw WellKnownFileError(.notText, "begins with a byte order mark; save it as UTF-8 without one")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        // A byte that is none of UTF-8 has become another character.
        guard text.utf8.elementsEqual(bytes), !bytes.contains(0) else {
            throw WellKnownFileError(.notText, "is not a text in UTF-8")
        }
        guard text.contains(where: { !$0.isWhitespace }) else { throw WellKnownFileError(.empty, "is empty") }
        return text
    }
}
