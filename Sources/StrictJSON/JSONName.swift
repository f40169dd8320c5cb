/// The name of a member, prepared for looking it up in many documents.
package struct JSONName: Sendable {
    let bytes: [UInt8]
    let mark: JSONNameMark

    /// - Parameter text: as it stands after unescaping.
    package init(_ text: String) {
        let bytes = Array(text.utf8)
        self.bytes = bytes
        mark = JSONNameMark(bytes.span, from: 0, count: bytes.count)
    }
}
