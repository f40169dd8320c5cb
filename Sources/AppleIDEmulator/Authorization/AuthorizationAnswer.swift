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
        fields.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}
