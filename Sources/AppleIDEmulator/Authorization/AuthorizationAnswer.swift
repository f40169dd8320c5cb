/// What goes back to the client: names and values in Apple's order, absent ones left out.
struct AuthorizationAnswer: Sendable {
    let destination: AuthorizationRequest.Destination
    /// All that the client has registered, of which the destination is one.
    let returnURLs: [String]
    let fields: [(name: String, value: String)]

    init(_ request: AuthorizationRequest, _ fields: [(name: String, value: String?)]) {
        destination = request.destination
        returnURLs = request.client.returnURLs
        self.fields = fields.compactMap { field in field.value.map { (field.name, $0) } }
    }

    /// The fields as a query or fragment would carry them; a space is `%20`.
    var encoded: String {
        fields.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
    }
}
