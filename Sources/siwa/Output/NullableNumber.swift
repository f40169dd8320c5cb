/// A number that is written as null when it is not known, rather than left out.
struct NullableNumber: Encodable {
    let number: Int?

    init(_ number: Int?) {
        self.number = number
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
