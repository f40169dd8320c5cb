/// A text that is written as null when it is not known, rather than left out.
struct NullableText: Encodable {
    let text: String?

    init(_ text: String?) {
        self.text = text
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
