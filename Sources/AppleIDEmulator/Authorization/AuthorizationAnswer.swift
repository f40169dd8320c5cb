/// What goes back to the client: names and values in Apple's order, absent ones left out.
struct AuthorizationAnswer: Sendable {
    let destination: AuthorizationRequest.Destination
    let fields: [(name: String, value: String)]

    init(_ destination: AuthorizationRequest.Destination, _ fields: [(name: String, value: String?)]) {
        self.destination = destination
        self.fields = fields.compactMap { field in field.value.map { (field.name, $0) } }
    }

    /// The fields as a query or fragment would carry them; a space is `%20`.
    var encoded: String {
        fields.map { "\($0.name)=\(Self.percentEncoded($0.value))" }.joined(separator: "&")
    }

    private static func percentEncoded(_ text: String) -> String {
        let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if unreserved.contains(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
