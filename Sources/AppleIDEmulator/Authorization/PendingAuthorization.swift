/// A request that waits for a person's decision, known by a random name that stands in the sheet's forms.
struct PendingAuthorization: Sendable {
    static let lifetime: Int64 = 600

    let request: AuthorizationRequest
}
